import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a test changes in a valid response. */
interface Overrides {
  origin?: string
  relyingPartyId?: string
  /** Without user verification, such as a PIN. */
  isUnverified?: boolean
  challenge?: string
  counter?: number
  userHandle?: string
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const present = 0x01
const verified = 0x04
const withCredential = 0x40

/** A software authenticator with one passkey (ES256). Its responses have the format of a browser. */
export class Authenticator {
  readonly id = randomBytes(32)
  counter = 0
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private readonly origin: string
  private userHandle = ''

  constructor(origin: string) {
    this.origin = origin
  }

  /** The public key in the form of COSE (RFC 9053 §7.1), as the service stores it. */
  publicKey(): Buffer<ArrayBuffer> {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    const [abscissa, ordinate] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    return Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), abscissa, Buffer.from('225820', 'hex'), ordinate])
  }

  /** Makes it the authenticator of a user whose passkey is written to the database directly. */
  belongTo(userId: string): void {
    this.userHandle = Buffer.from(userId).toString('base64url')
  }

  /** Responds to registration options. Options and response are JSON. */
  register(options: string, overrides: Overrides = {}): string {
    const { challenge, user } = JSON.parse(options)
    this.userHandle = user.id
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.id.length), this.id, this.publicKey()])
    const data = Buffer.concat([this.data(withCredential, overrides), credential])
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.of(data.length >> 8, data.length & 255),
      data,
    ])
    return this.response(
      { attestationObject: attestation.toString('base64url'), transports: ['internal'] },
      'webauthn.create',
      challenge,
      overrides,
    )
  }

  /** Responds to sign-in options and increments the signature counter. Options and response are JSON. */
  assert(options: string, overrides: Overrides = {}): string {
    const { challenge } = JSON.parse(options)
    this.counter = overrides.counter ?? this.counter + 1
    const data = this.data(0, overrides)
    const clientData = this.clientData('webauthn.get', challenge, overrides)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.keys.privateKey)
    const response = {
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: overrides.userHandle ?? this.userHandle,
    }
    return this.response(response, 'webauthn.get', challenge, overrides)
  }

  private data(flags: number, { relyingPartyId = new URL(this.origin).hostname, isUnverified }: Overrides): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(relyingPartyId), Buffer.of(flags | present | (isUnverified ? 0 : verified)), counter])
  }

  private clientData(type: string, challenge: string, overrides: Overrides): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: overrides.challenge ?? challenge, origin: overrides.origin ?? this.origin }))
  }

  private response(response: object, type: string, challenge: string, overrides: Overrides): string {
    const id = this.id.toString('base64url')
    const clientDataJSON = this.clientData(type, challenge, overrides).toString('base64url')
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: { clientDataJSON, ...response },
    })
  }
}
