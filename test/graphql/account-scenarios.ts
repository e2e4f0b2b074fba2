import { executeAs, sessionOf, visitor } from '../support/in-process.ts'
import { lastLink } from '../support/links.ts'
import { unique } from '../support/team.ts'
import type { Scenarios, Surroundings } from './mutation-scenarios.ts'

const input = (mutation: string, type: string) => `mutation ($input: ${type}!) { ${mutation}(input: $input) { email } }`

export const signUp = input('signUp', 'SignUpInput')
export const requestPasswordReset = input('requestPasswordReset', 'RequestPasswordResetInput')
export const resetPassword = input('resetPassword', 'ResetPasswordInput')
export const verifyEmail = input('verifyEmail', 'MailLinkInput')
export const resendVerification = 'mutation { resendVerification { email } }'
export const requestEmailChange = input('requestEmailChange', 'RequestEmailChangeInput')
export const confirmEmailChange = input('confirmEmailChange', 'MailLinkInput')
export const changePassword = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { user { id } } }'
export const deleteAccount = 'mutation { deleteAccount { user { id email } } }'

const newAddress = () => `${unique('new')}@example.test`
const unverify = ({ service, owner }: Surroundings) =>
  service.database.prisma.user.update({ where: { id: owner.id }, data: { emailVerified: false } })

/** Of mutation-scenarios.ts, those about people's own accounts. */
export const accountScenarios: Scenarios = {
  signUp: {
    document: signUp,
    make() {
      const email = newAddress()
      const account = { email, name: 'Grace' }
      return {
        as: visitor,
        variables: { input: { ...account, password: 'correct horse battery' } },
        after: { ...account, emailVerified: false },
      }
    },
  },
  requestPasswordReset: {
    document: requestPasswordReset,
    make: ({ owner: { id, email } }) => ({ as: visitor, variables: { input: { email } }, subject: id }),
  },
  resetPassword: {
    document: resetPassword,
    async make({ service, owner: { id, email } }) {
      await executeAs(service, visitor, requestPasswordReset, { input: { email } })
      const token = await lastLink(service, id)
      const change = { before: { emailVerified: true }, after: { emailVerified: true, sessionsEnded: 0 } }
      return { as: visitor, variables: { input: { token, password: 'correct horse battery' } }, secret: token, subject: id, ...change }
    },
  },
  verifyEmail: {
    document: verifyEmail,
    async make(around) {
      const { service, as } = around
      const { id, email } = await unverify(around)
      await executeAs(service, as, resendVerification)
      const token = await lastLink(service, id)
      const change = { before: { emailVerified: false }, after: { email, emailVerified: true } }
      return { as, variables: { input: { token } }, secret: token, subject: id, ...change }
    },
  },
  resendVerification: {
    document: resendVerification,
    async make(around) {
      const { id, email } = await unverify(around)
      return { as: around.as, subject: id, after: { email } }
    },
  },
  requestEmailChange: {
    document: requestEmailChange,
    make({ as, owner }) {
      const email = newAddress()
      return { as, variables: { input: { email } }, subject: owner.id, before: { email: owner.email }, after: { asked: email } }
    },
  },
  confirmEmailChange: {
    document: confirmEmailChange,
    async make({ service, as, owner }) {
      const email = newAddress()
      await executeAs(service, as, requestEmailChange, { input: { email } })
      const token = await lastLink(service, owner.id)
      const change = { before: { email: owner.email }, after: { email } }
      return { as, variables: { input: { token } }, secret: token, subject: owner.id, ...change }
    },
  },
  changePassword: {
    document: changePassword,
    make: ({ as, owner }) => ({
      as,
      variables: { input: { newPassword: 'correct horse battery' } },
      subject: owner.id,
      after: { sessionsEnded: 0 },
    }),
  },
  updateProfile: {
    document: 'mutation { updateProfile(input: { name: " Grace " }) { user { name } } }',
    make: ({ as, owner }) => ({ as, subject: owner.id, before: { name: 'Ada' }, after: { name: 'Grace' } }),
  },
  deleteAccount: {
    document: deleteAccount,
    make: async ({ service, member }) => ({
      as: await sessionOf(service, member),
      subject: member.id,
      before: { email: member.email, name: 'Ada' },
    }),
  },
}
