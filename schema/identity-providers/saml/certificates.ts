import { X509Certificate } from 'node:crypto'

/** Minimum number of bits of the RSA key of a certificate (NIST SP 800-131A). */
const minBits = 2048

/** A certificate that can verify signatures, as base64 without the PEM lines, or the reason why it cannot, as a sentence. */
export type ReadCertificate = { base64: string; refusal: null } | { base64: null; refusal: string }

/** Reads a certificate in base64, with white space, with or without the PEM lines. */
export function readCertificate(text: string, now: Date): ReadCertificate {
  const certificate = parseCertificate(text)
  if (!certificate) return refusal('A signing certificate cannot be read.')
  const name = `The signing certificate “${getName(certificate)}”`
  if (certificate.validToDate <= now) return refusal(`${name} expired on ${formatDate(certificate.validToDate)}.`)
  if (certificate.validFromDate > now) return refusal(`${name} is not valid before ${formatDate(certificate.validFromDate)}.`)
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  if (asymmetricKeyType !== 'rsa') return refusal(`${name} has no RSA key.`)
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < minBits) return refusal(`${name} has a key of ${bits} bits; ${minBits} are required.`)
  return { base64: certificate.raw.toString('base64'), refusal: null }
}

const refusal = (text: string): ReadCertificate => ({ base64: null, refusal: text })

/** Parses a certificate, ignoring white space and the PEM lines. Returns null for a text that is not a certificate in base64. */
export function parseCertificate(text: string): X509Certificate | null {
  const base64 = text.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, '')
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    // OpenSSL's errors contain nothing that the owner of a team could use.
    return null
  }
}

/** Returns the common name, or the whole subject on one line. */
const getName = ({ subject }: X509Certificate) =>
  (/^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')).slice(0, 100) || 'without a name'

const formatDate = (date: Date) => date.toISOString().slice(0, 10)
