import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'

/** A workload identity of the team `acme`, with the key of its issuer. */
export interface WorkloadData {
  id: string
  issuer: string
  /** In PEM, for the process that generates the load. */
  privateKey: string
  claims: Record<string, string>
}

const claims = { sub: 'repo:acme/app:environment:production', repository_id: '74', environment: 'production', ref: 'refs/heads/main' }

/** Starts an issuer of ID tokens, and inserts an identity that trusts it. The issuer ends with `running`. */
export async function seedWorkload(session: pg.Client, running: AsyncDisposableStack): Promise<WorkloadData> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }]
  const server = createServer((request, response) => {
    const metadata = { issuer: issuer(), jwks_uri: `${issuer()}/jwks` }
    response.end(JSON.stringify(request.url === '/jwks' ? { keys } : metadata))
  })
  const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.defer(() => void server.close())
  const conditions = Object.entries(claims).map(([claim, value]) => ({ claim, value }))
  const { rows } = await session.query<{ id: string }>(
    `INSERT INTO workload_identities (team_id, name, issuer, conditions, scopes)
     SELECT id, 'Bench', $1, $2, '{teams,acct:team:read}' FROM teams WHERE slug = 'acme' RETURNING id`,
    [issuer(), JSON.stringify(conditions)],
  )
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { id: rows[0]?.id ?? '', issuer: issuer(), privateKey: privateKeyPem, claims }
}
