# The command in a container, built from this clone:
#   docker build --tag pagemeter .
#   docker run --rm --volume "$PWD:/data" pagemeter eval gt/ hyp/ --html report.html
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN python -m venv /opt/pagemeter && /opt/pagemeter/bin/pip install --no-cache-dir '.[store,images]'

FROM python:${PYTHON}-slim
COPY --from=build /opt/pagemeter /opt/pagemeter
RUN useradd --create-home --uid 1000 reader
USER reader
WORKDIR /data
ENV PATH="/opt/pagemeter/bin:$PATH"
ENTRYPOINT ["pagemeter"]
CMD ["--help"]
