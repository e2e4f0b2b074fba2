import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'

/** Paths of PEM files. */
export interface Certificate {
  certificate: string
  key: string
}

const hasProgram = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0
if (!hasProgram) console.warn('The tests of TLS are skipped: there is no program openssl.')
export const canIssueCertificates = hasProgram

const openssl = (folder: string, ...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' })
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** Creates a certificate authority in a folder. */
export function createAuthority(folder: string, name: string): Certificate {
  openssl(folder, 'req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`, '-days', '2')
  return { certificate: path.join(folder, `${name}.crt`), key: path.join(folder, `${name}.key`) }
}

/** Issues a certificate with a common name and, for a server, its alternative names such as `DNS:localhost`. */
export function issueCertificate(folder: string, authority: Certificate, name: string, alternativeNames?: string): Certificate {
  const names = alternativeNames === undefined ? [] : ['-addext', `subjectAltName=${alternativeNames}`]
  const by = ['-CA', authority.certificate, '-CAkey', authority.key]
  openssl(
    folder,
    'req',
    '-x509',
    ...by,
    ...newKey,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.crt`,
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
    ...names,
  )
  return { certificate: path.join(folder, `${name}.crt`), key: path.join(folder, `${name}.key`) }
}
