import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { ConnectionOptions } from 'node:tls'
import { getErrorMessage } from '../config/error-message.ts'

const modes = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * Removes the `ssl…` parameters from a database URL and returns them as pg's `ssl`, with libpq's meaning. pg reads them differently: for
 * example, it treats `require` as `verify-full`, and ignores unknown parameters. As with libpq, none applies to a Unix socket.
 */
export function takeTls(url: URL): false | ConnectionOptions {
  const take = (name: string) => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value || undefined
  }
  // libpq also reads `ssl=true`, as JDBC does, as `sslmode=require`.
  if (url.searchParams.get('ssl') === 'true') url.searchParams.set('sslmode', take('sslmode') ?? 'require')
  url.searchParams.delete('ssl')
  const [mode, authority, certificate, key, passphrase] = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword'].map(take)
  const unknown = [...url.searchParams.keys()].find((name) => name.startsWith('ssl'))
  if (unknown !== undefined) throw new Error(`the parameter ${unknown} is not supported`)
  if (isUnixSocket(url)) return false
  if (mode === undefined && (authority ?? certificate ?? key) !== undefined) {
    throw new Error(`sslrootcert, sslcert and sslkey require sslmode, one of ${modes.join(', ')}`)
  }
  if (mode === undefined || mode === 'disable') return false
  return { ...verification(mode, authority), secureContext: secureContext({ authority, certificate, key, passphrase }) }
}

function verification(mode: string, authority: string | undefined): ConnectionOptions {
  if (!modes.includes(mode)) throw new Error(`sslmode must be one of ${modes.join(', ')}; it is ${JSON.stringify(mode)}`)
  // Anyone can get a certificate from a public authority for a host name of their own.
  if (authority === 'system' && mode !== 'verify-full') throw new Error('sslrootcert=system requires sslmode=verify-full')
  if (authority === undefined && mode !== 'require') {
    throw new Error(
      `sslmode=${mode} requires sslrootcert, the file of a certificate authority${mode === 'verify-full' ? ', or system' : ''}`,
    )
  }
  // Like libpq, verifies the certificate with `require` if a certificate authority is given.
  if (authority === undefined) return { rejectUnauthorized: false }
  return { rejectUnauthorized: true, ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }) }
}

type Files = Record<'authority' | 'certificate' | 'key' | 'passphrase', string | undefined>

/** Reads the files once, so that a wrong file stops the start. */
function secureContext({ authority, certificate, key, passphrase }: Files) {
  if ((certificate === undefined) !== (key === undefined)) throw new Error('sslcert and sslkey must be set together')
  const ca = authority === 'system' ? getCACertificates('system') : read('sslrootcert', authority)
  const parts = { ca, cert: read('sslcert', certificate), key: read('sslkey', key), passphrase }
  try {
    return createSecureContext(parts)
  } catch (cause) {
    throw new Error(`sslrootcert, sslcert or sslkey cannot be used: ${getErrorMessage(cause)}`, { cause })
  }
}

function read(name: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`${name} cannot be read: ${getErrorMessage(cause)}`, { cause })
  }
}

const isUnixSocket = ({ hostname, searchParams }: URL) => /^(?:\/|%2f)/i.test(searchParams.get('host') ?? hostname)
