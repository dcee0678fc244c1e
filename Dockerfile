# varve in a container: one static program and its health probe on an empty file system, run by an unprivileged user.
#
#   docker build -t varve .
#   docker run -p 8080:8080 -v /path/to/warcs:/warcs:ro -v varve-data:/data varve

# The client-side runtime, from npm.
FROM node:22-bookworm-slim AS client
WORKDIR /src
COPY scripts/client.sh scripts/
COPY static static
RUN scripts/client.sh

FROM golang:1.26-bookworm AS build
WORKDIR /src
ENV CGO_ENABLED=0 GOFLAGS=-buildvcs=false
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=client /src/static/dist static/dist
ARG RELEASE COMMIT
RUN scripts/build.sh && scripts/image.sh /image

FROM scratch
COPY --from=build --chown=65532:65532 /image /
USER 65532:65532
ENV VARVE_DATA=/data VARVE_LISTEN=0.0.0.0:8080
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/health"]
ENTRYPOINT ["/varve"]
CMD ["serve", "/warcs"]
