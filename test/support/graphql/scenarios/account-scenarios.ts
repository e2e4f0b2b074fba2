import { executeAs, sessionOf, anonymous } from '../../service/in-process.ts'
import { createTestBrowser } from '../../service/test-browser.ts'
import type { TestService } from '../../service/service.ts'
import { lastLink } from '../../mail/links.ts'
import { unique } from '../../data/team.ts'
import type { Scenarios, ScenarioContext } from './scenario.ts'

const input = (mutation: string, type: string) => `mutation ($input: ${type}!) { ${mutation}(input: $input) { email } }`

export const signUp = input('signUp', 'SignUpInput')
const requestSignInCode = input('requestSignInCode', 'RequestSignInCodeInput')
export const requestPasswordReset = input('requestPasswordReset', 'RequestPasswordResetInput')
export const resetPassword = input('resetPassword', 'ResetPasswordInput')
export const verifyEmail = input('verifyEmail', 'MailLinkInput')
export const resendVerification = 'mutation { resendVerification { email } }'
export const requestEmailChange = input('requestEmailChange', 'RequestEmailChangeInput')
export const cancelEmailChange = 'mutation { cancelEmailChange { email } }'
export const confirmEmailChange = input('confirmEmailChange', 'MailLinkInput')
export const changePassword = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { user { id: userId } } }'
export const deleteAccount = 'mutation { deleteAccount { user { id: userId email } } }'

export const resendSignUp = 'mutation { resendSignUp { email } }'
export const completeSignUp = 'mutation ($input: CompleteSignUpInput!) { completeSignUp(input: $input) { isSignedIn } }'

const createAddress = () => `${unique('new')}@example.test`
const unverifyEmail = ({ service, owner }: ScenarioContext) =>
  service.database.prisma.user.update({ where: { id: owner.id }, data: { emailVerified: false } })

/** Signs up in a new browser. */
export async function signUpIn(service: Pick<TestService, 'database' | 'clock' | 'mails'>, email = createAddress()) {
  const browser = createTestBrowser()
  const variables = { input: { email, name: 'Grace', password: 'correct horse battery' } }
  await executeAs(service, anonymous, signUp, variables, undefined, browser)
  const { id } = await service.database.prisma.user.findUniqueOrThrow({ where: { email } })
  return { id, email, browser }
}

/** Scenarios of the mutations that change the caller's own account. */
export const accountScenarios: Scenarios = {
  signUp: {
    document: signUp,
    prepare() {
      const email = createAddress()
      const account = { email, name: 'Grace' }
      return {
        principal: anonymous,
        variables: { input: { ...account, password: 'correct horse battery' } },
        after: { ...account, emailVerified: false },
      }
    },
  },
  resendSignUp: {
    document: resendSignUp,
    async prepare({ service }) {
      const { id, browser } = await signUpIn(service)
      return { principal: anonymous, browser, subject: id }
    },
  },
  completeSignUp: {
    document: completeSignUp,
    async prepare({ service }) {
      const { id, email, browser } = await signUpIn(service)
      const token = await lastLink(service, id)
      const change = { before: { emailVerified: false }, after: { email, emailVerified: true } }
      return { principal: anonymous, browser, variables: { input: { token } }, secret: token, subject: id, ...change }
    },
  },
  requestPasswordReset: {
    document: requestPasswordReset,
    prepare: ({ owner: { id, email } }) => ({ principal: anonymous, variables: { input: { email } }, subject: id }),
  },
  requestSignInCode: {
    document: requestSignInCode,
    prepare: ({ owner: { id, email } }) => ({ principal: anonymous, variables: { input: { email } }, subject: id }),
  },
  resetPassword: {
    document: resetPassword,
    async prepare({ service, owner: { id, email } }) {
      await executeAs(service, anonymous, requestPasswordReset, { input: { email } })
      const token = await lastLink(service, id)
      const change = { before: { emailVerified: true }, after: { emailVerified: true, sessionsEnded: 0 } }
      return {
        principal: anonymous,
        variables: { input: { token, password: 'correct horse battery' } },
        secret: token,
        subject: id,
        ...change,
      }
    },
  },
  verifyEmail: {
    document: verifyEmail,
    async prepare(context) {
      const { service, principal } = context
      const { id, email } = await unverifyEmail(context)
      await executeAs(service, principal, resendVerification)
      const token = await lastLink(service, id)
      const change = { before: { emailVerified: false }, after: { email, emailVerified: true } }
      return { principal, variables: { input: { token } }, secret: token, subject: id, ...change }
    },
  },
  resendVerification: {
    document: resendVerification,
    async prepare(context) {
      const { id, email } = await unverifyEmail(context)
      return { principal: context.principal, subject: id, after: { email } }
    },
  },
  requestEmailChange: {
    document: requestEmailChange,
    prepare({ principal, owner }) {
      const email = createAddress()
      return { principal, variables: { input: { email } }, subject: owner.id, before: { email: owner.email }, after: { asked: email } }
    },
  },
  cancelEmailChange: {
    document: cancelEmailChange,
    async prepare({ service, principal, owner }) {
      const email = createAddress()
      await executeAs(service, principal, requestEmailChange, { input: { email } })
      return { principal, subject: owner.id, before: { asked: email }, after: { asked: null } }
    },
  },
  confirmEmailChange: {
    document: confirmEmailChange,
    async prepare({ service, principal, owner }) {
      const email = createAddress()
      await executeAs(service, principal, requestEmailChange, { input: { email } })
      const token = await lastLink(service, owner.id)
      const change = { before: { email: owner.email }, after: { email } }
      return { principal, variables: { input: { token } }, secret: token, subject: owner.id, ...change }
    },
  },
  changePassword: {
    document: changePassword,
    prepare: ({ principal, owner }) => ({
      principal,
      variables: { input: { newPassword: 'correct horse battery' } },
      subject: owner.id,
      after: { sessionsEnded: 0 },
    }),
  },
  updateProfile: {
    document: 'mutation { updateProfile(input: { name: " Grace ", timezone: "Asia/Kolkata" }) { user { name timezone } } }',
    prepare: ({ principal, owner }) => ({
      principal,
      subject: owner.id,
      before: { name: 'Ada', timezone: null },
      after: { name: 'Grace', timezone: 'Asia/Kolkata' },
    }),
  },
  updateNotifications: {
    document: 'mutation { updateNotifications(input: { off: [TOKEN_EXPIRES, ROLE_CHANGED] }) { notifications { kind isOn } } }',
    prepare: ({ principal, owner }) => ({
      principal,
      subject: owner.id,
      before: { off: [] },
      after: { off: ['role-changed', 'token-expires'] },
    }),
  },
  exportAccount: {
    document: 'mutation { exportAccount { data } }',
    prepare: async ({ service, member }) => ({ principal: await sessionOf(service, member), subject: member.id }),
  },
  deleteAccount: {
    document: deleteAccount,
    prepare: async ({ service, member }) => ({
      principal: await sessionOf(service, member),
      subject: member.id,
      before: { email: member.email, name: 'Ada' },
    }),
  },
}
