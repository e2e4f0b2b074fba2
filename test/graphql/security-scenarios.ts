import { expect } from 'vitest'
import { Authenticator } from '../support/authenticator.ts'
import { executeAs, operator } from '../support/in-process.ts'
import { addPasskey, confirm, proposal, register, requirePasskey, turnOn } from '../support/second-factor.ts'
import { createSession } from '../support/session-row.ts'
import type { Scenarios } from './mutation-scenarios.ts'

/** Of mutation-scenarios.ts, those about what people sign in with, and where. */
export const securityScenarios: Scenarios = {
  confirmTotp: {
    document: confirm,
    async make(around) {
      const { secret: _, ...variables } = await proposal(around)
      return { as: around.as, variables, subject: around.owner.id, before: { methods: [] }, after: { methods: ['totp'] } }
    },
  },
  regenerateRecoveryCodes: {
    document: 'mutation { regenerateRecoveryCodes { recoveryCodes } }',
    async make(around) {
      await turnOn(around)
      return { as: around.as, subject: around.owner.id, before: { recoveryCodesLeft: 10 }, after: { recoveryCodesLeft: 10 } }
    },
  },
  requirePasskey: {
    document: requirePasskey,
    async make(around) {
      await addPasskey(around)
      return { as: around.as, subject: around.owner.id, before: { methods: [] }, after: { methods: ['passkey'] } }
    },
  },
  disableSecondFactor: {
    document: 'mutation { disableSecondFactor { viewer { id } } }',
    async make(around) {
      await turnOn(around)
      return { as: around.as, subject: around.owner.id, before: { methods: ['totp'] }, after: { methods: [] } }
    },
  },
  resetSecondFactor: {
    document: 'mutation ($email: String!) { resetSecondFactor(input: { email: $email }) { user { id } } }',
    async make(around) {
      await turnOn(around)
      const { id, email } = around.owner
      return { as: operator, variables: { email }, subject: id, before: { methods: ['totp'] }, after: { methods: [] } }
    },
  },
  registerPasskey: {
    document: register,
    async make({ service, as }) {
      const { data } = await executeAs(service, as, '{ viewer { passkeyRegistration } }')
      const response = new Authenticator('https://accounts.example').register(data.viewer.passkeyRegistration)
      return { as, variables: { name: 'Laptop', response }, subject: expect.any(String), after: { name: 'Laptop' } }
    },
  },
  renamePasskey: {
    document: 'mutation ($id: ID!) { renamePasskey(input: { id: $id, name: "Phone" }) { passkey { id } } }',
    async make(around) {
      const { id } = await addPasskey(around)
      return { as: around.as, variables: { id }, subject: id, before: { name: 'Laptop' }, after: { name: 'Phone' } }
    },
  },
  deletePasskey: {
    document: 'mutation ($id: ID!) { deletePasskey(input: { id: $id }) { passkey { id } } }',
    async make(around) {
      const { id } = await addPasskey(around)
      return { as: around.as, variables: { id }, subject: id, before: { name: 'Laptop' } }
    },
  },
  revokeSession: {
    document: 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { session { id } } }',
    async make({ service, owner, as }) {
      const { id } = await createSession(service.database, owner)
      return { as, variables: { id }, subject: id, before: { device: 'Firefox on Linux' } }
    },
  },
  revokeOtherSessions: {
    document: 'mutation { revokeOtherSessions { sessions { id } } }',
    async make({ service, owner, as }) {
      const { id } = await createSession(service.database, owner)
      return { as, subject: owner.id, before: { sessions: [id] } }
    },
  },
}
