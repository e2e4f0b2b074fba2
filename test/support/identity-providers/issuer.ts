import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let started: Promise<string> | undefined
let counter = 0

/** The origin of a server that answers the metadata of an issuer for every path, as long as the process runs. */
const originOfIssuers = (): Promise<string> => (started ??= startServer())

function startServer(): Promise<string> {
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}${request.url}`.replace('/.well-known/openid-configuration', '')
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ issuer, ...endpoints }))
  })
  server.unref()
  return new Promise((resolve) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

/** A new issuer whose metadata can be read, and nothing else. */
export const createIssuer = async (): Promise<string> => `${await originOfIssuers()}/${++counter}`
