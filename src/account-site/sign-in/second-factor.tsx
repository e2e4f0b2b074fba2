import { z } from 'zod'
import { invalid, unauthenticated } from '../../../schema/errors.ts'
import { assertionOptions } from '../../../schema/passkey-ceremony.ts'
import { spendSecondFactorCode } from '../../../schema/second-factor-code.ts'
import { secondFactorMethods } from '../../../schema/second-factor-methods.ts'
import type { Method } from '../../oidc/session.ts'
import { secondFactorPath, signInAt, signInPath } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { PasskeyForm, passkeyScripts } from '../passkey-form.tsx'
import type { Visit } from '../visit.ts'
import { goOn } from './go-on.ts'
import { judged } from './guess.ts'
import { endHalfWay, findHalfWay } from './half-way.ts'
import type { HalfWay } from './half-way.ts'
import { verifyPasskey } from './passkey.ts'

/** Asks for what a password alone does not show: a code of the authenticator application, a passkey, or what stands in for them. */
export const secondFactor = page({
  path: secondFactorPath,
  title: 'Second factor',
  for: 'anyone',
  scripts: passkeyScripts,
  before: ({ cookies }) => (findHalfWay(cookies) ? undefined : signInPath),
  forms: {
    code: form({
      fields: z.object({ code: text }),
      work: ({ code }, visit) =>
        finish(visit, 'otp', async ({ userId }) => {
          const { database } = visit.site
          if (!(await spendSecondFactorCode(database.prisma, visit.context, userId, code)))
            throw invalid({ code: ['The code is not right, or was used already.'] })
        }),
    }),
    passkey: form({
      fields: z.object({ response: text }),
      work: ({ response }, visit) =>
        finish(visit, 'hwk', async ({ userId }) => {
          // Asked for with this person's own challenge.
          if ((await verifyPasskey(visit, response, userId)) !== userId) throw invalid({ response: ['The passkey is of another account.'] })
        }),
    }),
  },
  async view(_, visit) {
    const { userId, returnTo } = stateOf(visit)
    const asking = await visit.site.whoAsks(returnTo)
    if (asking?.redirectUri) visit.leadsTo.push(asking.redirectUri)
    const methods = await secondFactorMethods(visit.site.database.prisma, userId)
    const hasTotp = methods.includes('totp')
    const code = <CodeForm hasTotp={hasTotp} />
    const passkey = methods.includes('passkey') && (
      <PasskeyForm name="passkey" ceremony="get" options={assertionOptions(visit.context, userId)} button="Use a passkey" />
    )
    return (
      <>
        <p class="hint">
          Not you? <a href={signInAt(returnTo)}>Sign in as somebody else</a>
        </p>
        {!hasTotp && (
          <noscript>
            <p class="alert">Browsers use passkeys only by JavaScript. Turn it on for this page, or use one of your recovery codes.</p>
          </noscript>
        )}
        {hasTotp ? code : passkey}
        {hasTotp ? passkey : code}
      </>
    )
  },
})

/** For who has no application, a recovery code is all there is to type. */
const CodeForm = ({ hasTotp }: { hasTotp: boolean }) => (
  <Form name="code">
    <Field
      name="code"
      label={hasTotp ? 'Code' : 'Recovery code'}
      autocomplete="one-time-code"
      hint={
        hasTotp
          ? 'The six digits that your authenticator application shows, or one of your recovery codes.'
          : 'One that you kept, should you have no passkey at hand.'
      }
    />
    <Buttons>
      <Button>Continue</Button>
    </Buttons>
  </Form>
)

/** Nobody is half way any more where the password stopped being enough meanwhile: they begin again. */
function stateOf({ cookies }: Visit): HalfWay {
  const state = findHalfWay(cookies)
  if (!state) throw unauthenticated()
  return state
}

/** Goes on where `prove` throws nothing; how often it may is counted by account and address. */
async function finish(visit: Visit, method: Method, prove: (state: HalfWay) => Promise<void>): Promise<string> {
  const state = stateOf(visit)
  await judged(visit, visit.site.guesses.secondFactor, state.userId, async () => {
    await prove(state)
    return true
  })
  endHalfWay(visit.cookies)
  return goOn(visit, { ...state, methods: ['pwd', method] }, state.returnTo)
}
