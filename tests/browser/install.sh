#!/bin/sh
# Install Chromium and its driver for the tests in this folder. Where this is not possible, these tests are skipped.
command -v chromedriver >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -qq -y --no-install-recommends chromium chromium-driver fonts-dejavu >/dev/null 2>&1 ||
        { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium chromium-driver fonts-dejavu; } >/dev/null 2>&1 ||
        echo "Chromium could not be installed: the tests in a browser are skipped"
else
    echo "No chromedriver, and no way to install it here: the tests in a browser are skipped"
fi
