import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a test changes of an honest answer. */
interface Lies {
  origin?: string
  relyingPartyId?: string
  /** Without the person's finger or PIN. */
  isUnverified?: boolean
  challenge?: string
  counter?: number
  userHandle?: string
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const present = 0x01
const verified = 0x04
const withCredential = 0x40

/** An authenticator in software: one passkey (ES256), of which it answers as a browser would hand it over. */
export class Authenticator {
  readonly id = randomBytes(32)
  counter = 0
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private readonly origin: string
  private userHandle = ''

  constructor(origin: string) {
    this.origin = origin
  }

  /** Answers to the options of a registration, both as JSON. */
  register(options: string, lies: Lies = {}): string {
    const { challenge, user } = JSON.parse(options)
    this.userHandle = user.id
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    const [abscissa, ordinate] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    const key = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), abscissa, Buffer.from('225820', 'hex'), ordinate])
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.id.length), this.id, key])
    const data = Buffer.concat([this.data(withCredential, lies), credential])
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.of(data.length >> 8, data.length & 255),
      data,
    ])
    return this.answer(
      { attestationObject: attestation.toString('base64url'), transports: ['internal'] },
      'webauthn.create',
      challenge,
      lies,
    )
  }

  /** Answers to the options of a sign-in, both as JSON; its counter goes up. */
  assert(options: string, lies: Lies = {}): string {
    const { challenge } = JSON.parse(options)
    this.counter = lies.counter ?? this.counter + 1
    const data = this.data(0, lies)
    const clientData = this.clientData('webauthn.get', challenge, lies)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.keys.privateKey)
    const response = {
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: lies.userHandle ?? this.userHandle,
    }
    return this.answer(response, 'webauthn.get', challenge, lies)
  }

  private data(flags: number, { relyingPartyId = new URL(this.origin).hostname, isUnverified }: Lies): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([sha256(relyingPartyId), Buffer.of(flags | present | (isUnverified ? 0 : verified)), counter])
  }

  private clientData(type: string, challenge: string, lies: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: lies.challenge ?? challenge, origin: lies.origin ?? this.origin }))
  }

  private answer(response: object, type: string, challenge: string, lies: Lies): string {
    const id = this.id.toString('base64url')
    const clientDataJSON = this.clientData(type, challenge, lies).toString('base64url')
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
