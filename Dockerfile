# docker build -t sweepline . && docker run --rm -v "$PWD:/models" sweepline check model.cpnt
FROM rust:1-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /sweepline
COPY . .
RUN cargo build --release --locked -p sweepline-cli

FROM debian:stable-slim
COPY --from=build /sweepline/target/release/sweepline /usr/local/bin/sweepline
# Models need no rights.
USER nobody
WORKDIR /models
ENTRYPOINT ["sweepline"]
