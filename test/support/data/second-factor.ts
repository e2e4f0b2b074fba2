import type { Principal } from '../../../schema/core/principals.ts'
import { Authenticator } from '../browser/authenticator.ts'
import { executeAs } from '../service/in-process.ts'
import type { TestService } from '../service/service.ts'
import { totpCode } from './totp.ts'

interface SignedInUser {
  service: TestService
  /** The session of the user. */
  principal: Principal
}

/** Returns a valid input of `confirmTotp`, and the secret it was created from. */
export async function createTotpInput({ service, principal }: SignedInUser) {
  const { data } = await executeAs(service, principal, '{ viewer { totpProposal { secret encrypted } } }')
  const { secret, encrypted } = data.viewer.totpProposal
  return { secret: String(secret), encrypted: String(encrypted), code: totpCode(secret, service.clock.now()) }
}

export const confirmTotp =
  'mutation ($encrypted: String!, $code: String!) { confirmTotp(input: { encrypted: $encrypted, code: $code, endOtherSessions: false }) { recoveryCodes } }'

export const moveTotp =
  'mutation ($encrypted: String!, $code: String!) { moveTotp(input: { encrypted: $encrypted, code: $code, endOtherSessions: false }) { viewer { userId } } }'

/** Enables the second factor with an authenticator app. Returns the base32 secret and the recovery codes. */
export async function enableTotp(user: SignedInUser) {
  const { secret, ...input } = await createTotpInput(user)
  const { data } = await executeAs(user.service, user.principal, confirmTotp, input)
  const recoveryCodes: string[] = data.confirmTotp.recoveryCodes
  return { secret, recoveryCodes }
}

export const registerPasskey =
  'mutation ($name: String!, $response: String!) { registerPasskey(input: { name: $name, response: $response, endOtherSessions: false }) { passkey { id: passkeyId } } }'

/** Registers a passkey. Returns its ID and its authenticator. */
export async function addPasskey({ service, principal }: SignedInUser, origin = 'https://accounts.example') {
  const authenticator = new Authenticator(origin)
  const options = await executeAs(service, principal, '{ viewer { passkeyRegistration } }')
  const response = authenticator.register(options.data.viewer.passkeyRegistration)
  const { data } = await executeAs(service, principal, registerPasskey, { name: 'Laptop', response })
  const id: string = data.registerPasskey.passkey.id
  return { authenticator, id }
}

export const requirePasskey = 'mutation { requirePasskey(input: { endOtherSessions: false }) { recoveryCodes } }'

/** Enables the second factor with a new passkey. Returns its ID, its authenticator and the recovery codes. */
export async function enablePasskeyFactor(user: SignedInUser, origin?: string) {
  const passkey = await addPasskey(user, origin)
  const { data } = await executeAs(user.service, user.principal, requirePasskey)
  const recoveryCodes: string[] = data.requirePasskey.recoveryCodes
  return { ...passkey, recoveryCodes }
}
