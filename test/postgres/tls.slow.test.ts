import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { urlConnection, withSession } from '../../src/database/connection.ts'
import { openDatabase } from '../../src/database/open.ts'
import { canIssueCertificates, createAuthority, issueCertificate } from '../support/postgres/certificates.ts'
import type { Certificate } from '../support/postgres/certificates.ts'
import { createPostgresServer, temporaryFolder, writeOwned } from '../support/postgres/server.ts'
import type { PostgresServer } from '../support/postgres/server.ts'
import { startMain } from '../support/processes/service-process.ts'
import { isFull } from '../support/service/full.ts'

/** `plain` connects without TLS and `certified` only with a client certificate; `postgres` only with TLS. */
const hba = 'local all all trust\nhost all plain all trust\nhostssl all certified all cert\nhostssl all postgres all trust\n'

const refused = 'the certificate of the server is refused: '

describe.runIf(canIssueCertificates)('DATABASE_URL with sslmode, as libpq reads it', () => {
  let folder: string
  let server: PostgresServer
  let authority: Certificate
  let other: Certificate
  let client: Certificate
  beforeAll(async () => {
    folder = temporaryFolder()
    authority = createAuthority(folder, 'authority')
    other = createAuthority(folder, 'other')
    client = issueCertificate(folder, authority, 'certified')
    const { certificate, key } = issueCertificate(folder, authority, 'server', 'DNS:localhost')
    const files = { ssl_cert_file: certificate, ssl_key_file: `${key}.owned`, ssl_ca_file: authority.certificate }
    server = await createPostgresServer({ hba, settings: { ssl: 'on', ...files } })
    writeOwned(files.ssl_key_file, readFileSync(key, 'utf8'), server.cluster)
    await server.start()
    await withSession(urlOf('sslmode=require'), (session) => session.query('CREATE ROLE plain LOGIN; CREATE ROLE certified LOGIN'))
  })
  afterAll(async () => {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Fills in the names of files. */
  const filled = (parameters: string) =>
    parameters
      .replace('AUTHORITY', authority.certificate)
      .replace('OTHER', other.certificate)
      .replace('CERTIFICATE', client.certificate)
      .replace('WRONG-KEY', other.key)
      .replace('KEY', client.key)
  const address = (parameters: string, { user = 'postgres', host = 'localhost' } = {}) =>
    `postgresql://${user}@${host}:${server.port}/postgres?${filled(parameters)}`
  const urlOf = (...parameters: Parameters<typeof address>) => urlConnection(address(...parameters))
  const usesTls = (connection: ReturnType<typeof urlConnection>) =>
    withSession(connection, async (session) => {
      const { rows } = await session.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
      return rows[0]?.ssl
    })

  test.each([
    ['sslmode=require', {}],
    ['ssl=true', {}],
    ['sslmode=require', { host: '127.0.0.1' }],
    ['sslmode=require&sslrootcert=AUTHORITY', { host: '127.0.0.1' }],
    ['sslmode=verify-ca&sslrootcert=AUTHORITY', { host: '127.0.0.1' }],
    ['sslmode=verify-full&sslrootcert=AUTHORITY', {}],
    ['sslmode=require&sslcert=CERTIFICATE&sslkey=KEY', { user: 'certified' }],
    ['sslmode=verify-full&sslrootcert=AUTHORITY&sslcert=CERTIFICATE&sslkey=KEY', { user: 'certified' }],
  ])('connects with TLS for %s, %o', async (parameters, options) => {
    expect(await usesTls(urlOf(parameters, options))).toBe(true)
  })

  test.each(['sslmode=disable', '', 'sslmode=disable&sslrootcert=/no/such/file'])('connects without TLS for "%s"', async (parameters) => {
    expect(await usesTls(urlOf(parameters, { user: 'plain' }))).toBe(false)
  })

  test('uses no TLS on a Unix socket, whatever sslmode is', async () => {
    const socket = encodeURIComponent(path.join(server.cluster.folder, 'socket'))
    const url = `postgresql://postgres@localhost:${server.port}/postgres?host=${socket}&sslmode=require`
    expect(await usesTls(urlConnection(url))).toBe(false)
  })

  test.each([
    ['sslmode=verify-full&sslrootcert=OTHER', {}, `${refused}self-signed certificate in certificate chain`],
    ['sslmode=verify-ca&sslrootcert=OTHER', {}, `${refused}self-signed certificate in certificate chain`],
    ['sslmode=require&sslrootcert=OTHER', {}, `${refused}self-signed certificate in certificate chain`],
    ['sslmode=verify-full&sslrootcert=system', {}, `${refused}self-signed certificate in certificate chain`],
    ['sslmode=verify-full&sslrootcert=AUTHORITY', { host: '127.0.0.1' }, `${refused}Hostname/IP does not match certificate's altnames`],
    ['sslmode=require', { user: 'certified' }, 'connection requires a valid client certificate'],
    ['sslmode=disable', {}, 'no pg_hba.conf entry'],
    ['sslmode=prefer', {}, 'sslmode must be one of disable, require, verify-ca, verify-full; it is "prefer"'],
    ['sslmode=verify-ca', {}, 'sslmode=verify-ca requires sslrootcert, the file of a certificate authority'],
    ['sslmode=verify-full', {}, 'sslmode=verify-full requires sslrootcert, the file of a certificate authority, or system'],
    ['sslmode=verify-ca&sslrootcert=system', {}, 'sslrootcert=system requires sslmode=verify-full'],
    ['sslrootcert=AUTHORITY', {}, 'sslrootcert, sslcert and sslkey require sslmode'],
    ['sslmode=require&sslcert=CERTIFICATE', {}, 'sslcert and sslkey must be set together'],
    ['sslmode=require&sslcert=CERTIFICATE&sslkey=WRONG-KEY', {}, 'sslrootcert, sslcert or sslkey cannot be used: '],
    ['sslmode=verify-ca&sslrootcert=/no/such/file', {}, 'sslrootcert cannot be read: ENOENT'],
    ['sslmode=require&sslcrl=x', {}, 'the parameter sslcrl is not supported'],
  ])('refuses %s, %o, with one line: %s', async (parameters, options, message) => {
    const settings = { databaseUrl: address(parameters, options), dataDir: folder, databasePool: 2 }
    const error: Error = await openDatabase(settings, 'service', { info() {}, warn() {} }).catch((thrown) => thrown)
    expect(error.message).toContain(`DATABASE_URL: ${message}`)
    expect(error.message).not.toContain('\n')
  })

  test('refuses a file that is not PEM', async () => {
    writeFileSync(path.join(folder, 'text'), 'text')
    expect(() => urlOf(`sslmode=require&sslcert=${folder}/text&sslkey=${folder}/text`)).toThrow('cannot be used')
  })

  test.runIf(isFull)('a service verifies certificate and host name for every connection', async () => {
    const databaseUrl = address('sslmode=verify-full&sslrootcert=AUTHORITY')
    const client = '&sslcert=CERTIFICATE&sslkey=KEY'
    const service = startMain({ DATA_DIR: path.join(folder, 'data'), DATABASE_URL: filled(databaseUrl + client), WEB_CONCURRENCY: '2' })
    try {
      expect((await fetch(`${await service.origin}/api/v1/teams`)).status).toBe(401)
      const { rows } = await withSession(urlConnection(databaseUrl), (session) =>
        session.query<{ ssl: boolean }>(
          "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'team-account-%'",
        ),
      )
      expect(rows).toEqual([{ ssl: true }])
    } finally {
      service.signal('SIGKILL')
      await service.ended
    }
  })

  test.runIf(isFull)('a service whose server has another host name than its certificate exits with one line', async () => {
    const databaseUrl = address('sslmode=verify-full&sslrootcert=AUTHORITY', { host: '127.0.0.1' })
    const service = startMain({ DATA_DIR: path.join(folder, 'data'), DATABASE_URL: databaseUrl })
    expect(await service.ended).toBe(1)
    expect(service.output().stderr).toMatch(
      /^DATABASE_URL: the certificate of the server is refused: Hostname\/IP does not match certificate's altnames: .*\n$/,
    )
  })
})
