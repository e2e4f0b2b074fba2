import type { Principal } from '../../schema/context.ts'
import { Authenticator } from './authenticator.ts'
import { executeAs } from './in-process.ts'
import type { TestService } from './service.ts'
import { totpCode } from './totp.ts'

interface Someone {
  service: TestService
  /** The person's session. */
  as: Principal
}

/** The input of `confirmTotp` that is right at this moment. */
export async function proposal({ service, as }: Someone) {
  const { data } = await executeAs(service, as, '{ viewer { totpProposal { secret sealed } } }')
  const { secret, sealed } = data.viewer.totpProposal
  return { secret: String(secret), sealed: String(sealed), code: totpCode(secret, service.clock.now()) }
}

export const confirm =
  'mutation ($sealed: String!, $code: String!) { confirmTotp(input: { sealed: $sealed, code: $code }) { recoveryCodes } }'

/** Turns the second factor on by an application; answers its secret, in base 32, and the recovery codes. */
export async function turnOn(around: Someone) {
  const { secret, ...input } = await proposal(around)
  const { data } = await executeAs(around.service, around.as, confirm, input)
  return { secret, recoveryCodes: data.confirmTotp.recoveryCodes as string[] }
}

export const register =
  'mutation ($name: String!, $response: String!) { registerPasskey(input: { name: $name, response: $response }) { passkey { id } } }'

/** A registered passkey, in the authenticator that has it. */
export async function addPasskey({ service, as }: Someone, origin = 'https://accounts.example') {
  const authenticator = new Authenticator(origin)
  const options = await executeAs(service, as, '{ viewer { passkeyRegistration } }')
  const response = authenticator.register(options.data.viewer.passkeyRegistration)
  const { data } = await executeAs(service, as, register, { name: 'Laptop', response })
  return { authenticator, id: data.registerPasskey.passkey.id as string }
}

export const requirePasskey = 'mutation { requirePasskey { recoveryCodes } }'

/** Turns the second factor on by a passkey; answers the authenticator that has it, and the recovery codes. */
export async function turnOnByPasskey(around: Someone, origin?: string) {
  const passkey = await addPasskey(around, origin)
  const { data } = await executeAs(around.service, around.as, requirePasskey)
  return { ...passkey, recoveryCodes: data.requirePasskey.recoveryCodes as string[] }
}
