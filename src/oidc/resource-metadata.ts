import { Router } from 'express'
import { resourceMetadata } from '../../rest-facade/http/protected-resources.ts'
import { dpopAlgorithms } from '../auth/dpop.ts'
import { allow } from '../http/allowed-methods.ts'

// Pages of every origin may read the documents, which are public. Clients send header fields of their own, which need a preflight.
const fields = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': '*',
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
}

/** The documents that lead a client from REST or GraphQL to the authorization server (RFC 9728 §3). */
export function createResourceMetadata(authUrl: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, document } of resourceMetadata(authUrl, dpopAlgorithms))
    router.all(path, allow('GET'), ({ method }, response) => {
      response.set(fields)
      if (method === 'OPTIONS') response.status(204).end()
      else response.json(document)
    })
  return router
}
