#!/bin/sh
# Check the types of the report's scripts with tsc, and run their unit tests with node. Without node both are skipped.
cd "$(dirname "$0")" || exit 1
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "node and npm are absent: the scripts of the report are not checked (Debian: apt-get install nodejs npm)"
    exit 0
fi
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --silent --no-audit --no-fund 2>/dev/null || {
        echo "npm could not install typescript and axe-core: the scripts of the report are not checked"
        exit 0
    }
fi
node_modules/.bin/tsc --project . && node --test --test-reporter=dot ./*.test.mjs
