import { expect } from 'vitest'
import { Authenticator } from '../../browser/authenticator.ts'
import { executeAs, operator } from '../../service/in-process.ts'
import {
  addPasskey,
  confirmTotp,
  createTotpInput,
  moveTotp,
  registerPasskey,
  requirePasskey,
  enableTotp,
} from '../../data/second-factor.ts'
import { createSession, createTrustedDevice } from '../../data/session-row.ts'
import type { Scenarios } from './scenario.ts'

/** Scenarios of the mutations that change the second factor, passkeys and sessions. */
export const securityScenarios: Scenarios = {
  confirmTotp: {
    document: confirmTotp,
    async prepare(context) {
      const { secret: _, ...variables } = await createTotpInput(context)
      return { principal: context.principal, variables, subject: context.owner.id, before: { methods: [] }, after: { methods: ['totp'] } }
    },
  },
  moveTotp: {
    document: moveTotp,
    async prepare(context) {
      await enableTotp(context)
      const { secret: _, ...variables } = await createTotpInput(context)
      return {
        principal: context.principal,
        variables,
        subject: context.owner.id,
        before: { methods: ['totp'] },
        after: { methods: ['totp'] },
      }
    },
  },
  regenerateRecoveryCodes: {
    document: 'mutation { regenerateRecoveryCodes { recoveryCodes } }',
    async prepare(context) {
      await enableTotp(context)
      return {
        principal: context.principal,
        subject: context.owner.id,
        before: { recoveryCodesLeft: 10 },
        after: { recoveryCodesLeft: 10 },
      }
    },
  },
  requirePasskey: {
    document: requirePasskey,
    async prepare(context) {
      await addPasskey(context)
      return { principal: context.principal, subject: context.owner.id, before: { methods: [] }, after: { methods: ['passkey'] } }
    },
  },
  disableSecondFactor: {
    document: 'mutation { disableSecondFactor { viewer { id: userId } } }',
    async prepare(context) {
      await enableTotp(context)
      return { principal: context.principal, subject: context.owner.id, before: { methods: ['totp'] }, after: { methods: [] } }
    },
  },
  resetSecondFactor: {
    document: 'mutation ($email: String!) { resetSecondFactor(input: { email: $email }) { user { id: userId } } }',
    async prepare(context) {
      await enableTotp(context)
      const { id, email } = context.owner
      return { principal: operator, variables: { email }, subject: id, before: { methods: ['totp'] }, after: { methods: [] } }
    },
  },
  registerPasskey: {
    document: registerPasskey,
    async prepare({ service, principal }) {
      const { data } = await executeAs(service, principal, '{ viewer { passkeyRegistration } }')
      const response = new Authenticator('https://accounts.example').register(data.viewer.passkeyRegistration)
      return { principal, variables: { name: 'Laptop', response }, subject: expect.any(String), after: { name: 'Laptop' } }
    },
  },
  renamePasskey: {
    document: 'mutation ($id: ID!) { renamePasskey(input: { id: $id, name: "Phone" }) { passkey { id: passkeyId } } }',
    async prepare(context) {
      const { id } = await addPasskey(context)
      return { principal: context.principal, variables: { id }, subject: id, before: { name: 'Laptop' }, after: { name: 'Phone' } }
    },
  },
  deletePasskey: {
    document: 'mutation ($id: ID!) { deletePasskey(input: { id: $id }) { passkey { id: passkeyId } } }',
    async prepare(context) {
      const { id } = await addPasskey(context)
      return { principal: context.principal, variables: { id }, subject: id, before: { name: 'Laptop' } }
    },
  },
  revokeSession: {
    document: 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { session { id: sessionId } } }',
    async prepare({ service, owner, principal }) {
      const { id } = await createSession(service.database, owner)
      return { principal, variables: { id }, subject: id, before: { device: 'Firefox on Linux' } }
    },
  },
  unlinkIdentity: {
    document: 'mutation ($id: ID!) { unlinkIdentity(input: { id: $id }) { identity { id: externalIdentityId } } }',
    async prepare({ service, owner, principal }) {
      const identity = { userId: owner.id, social: 'github' as const, subject: owner.id, email: 'ada@example.com' }
      const { id } = await service.database.prisma.externalIdentity.create({ data: { ...identity, lastSignInAt: service.clock.now() } })
      return { principal, variables: { id }, subject: owner.id, before: { provider: 'GitHub', email: 'ada@example.com' } }
    },
  },
  revokeTrustedDevice: {
    document: 'mutation ($id: ID!) { revokeTrustedDevice(input: { id: $id }) { trustedDevice { id: trustedDeviceId } } }',
    async prepare({ service, owner, principal }) {
      const { id } = await createTrustedDevice(service.database, owner)
      return { principal, variables: { id }, subject: id, before: { device: 'Firefox on Linux' } }
    },
  },
  revokeOtherSessions: {
    document: 'mutation { revokeOtherSessions { sessions { id: sessionId } } }',
    async prepare({ service, owner, principal }) {
      const { id } = await createSession(service.database, owner)
      return { principal, subject: owner.id, before: { sessions: [id] } }
    },
  },
}
