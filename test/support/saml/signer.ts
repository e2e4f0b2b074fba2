import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The key of an identity provider. */
export interface Signer {
  /** The private key as PEM. */
  key: string
  /** The certificate in base64 without the PEM lines. */
  certificate: string
}

interface SignerOptions {
  commonName?: string
  days?: number
  /** As in `openssl req -newkey`. */
  algorithm?: string
}

/** Creates a key with a self-signed certificate. Needs `canIssueCertificates` (test/support/postgres/certificates.ts). */
export function createSigner({ commonName = 'provider.example', days = 30, algorithm = 'rsa:2048' }: SignerOptions = {}): Signer {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-signer-'))
  const curve = algorithm === 'ec' ? ['-pkeyopt', 'ec_paramgen_curve:P-256'] : []
  const parameters = ['-newkey', algorithm, ...curve, '-nodes', '-keyout', 'key', '-out', 'certificate', '-days', String(days)]
  try {
    execFileSync('openssl', ['req', '-x509', ...parameters, '-subj', `/CN=${commonName}`], { cwd: folder, stdio: 'pipe' })
    const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
    return { key: read('key'), certificate: read('certificate').replace(/-----[A-Z ]+-----|\s/g, '') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
