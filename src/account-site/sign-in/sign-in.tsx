import { z } from 'zod'
import { assertionOptions } from '../../../schema/passkey-ceremony.ts'
import { forgottenPasswordAt, returnOf, returnParameter, signInPath, signUpAt } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { pendingInvitation } from '../invitation/open.ts'
import { Initials, Name } from '../page.tsx'
import { PasskeyForm, passkeyScripts } from '../passkey-form.tsx'
import { goOn, notRight } from './go-on.ts'
import { verifyGuess } from './guess.ts'
import { verifyPasskey } from './passkey.ts'

/** Where a person says who they are. They come back to where they were to be asked: a page of ours, or an interaction. */
export const signIn = page({
  path: signInPath,
  title: 'Sign in',
  for: 'anyone',
  scripts: passkeyScripts,
  // Somebody who is signed in and was not sent here has nothing to do here; a form that is sent is answered.
  before: ({ person, query, request }) => (person && request.method !== 'POST' && !query.has(returnParameter) ? '/' : undefined),
  forms: {
    'sign-in': form({
      fields: z.object({ email: text, password: text }),
      async work({ email, password }, visit) {
        const right = await verifyGuess(visit, email, password)
        if (!right) throw notRight()
        return goOn(visit, { ...right, methods: ['pwd'] }, returnOf(visit))
      },
    }),
    passkey: form({
      fields: z.object({ response: text }),
      work: async ({ response }, visit) =>
        goOn(visit, { userId: await verifyPasskey(visit, response), methods: ['hwk'], passwordDigest: null }, returnOf(visit)),
    }),
  },
  async view(_, visit) {
    const returnTo = returnOf(visit)
    const asking = await visit.site.whoAsks(returnTo)
    if (asking?.redirectUri) visit.leadsTo.push(asking.redirectUri)
    return (
      <>
        {asking && (
          <p class="who">
            <Initials name={asking.clientName} />
            <span>
              to continue to <Name>{asking.clientName}</Name>
            </span>
          </p>
        )}
        <Form name="sign-in">
          {/* Not of type email: addresses beyond ASCII (RFC 6531) are refused by browsers there. */}
          <Field name="email" label="Email address" inputMode="email" autocomplete="username" value={asking?.loginHint ?? ''} />
          <Field name="password" label="Password" type="password" autocomplete="current-password" />
          <Buttons>
            <Button>Sign in</Button>
          </Buttons>
        </Form>
        <p>
          <a href={forgottenPasswordAt(returnTo)}>Forgotten password?</a>
        </p>
        {(visit.site.signUp === 'open' || (await pendingInvitation(visit))) && (
          <p>
            No account yet? <a href={signUpAt(returnTo)}>Create one</a>
          </p>
        )}
        <PasskeyForm name="passkey" ceremony="get" options={assertionOptions(visit.context)} button="Use a passkey" />
      </>
    )
  },
})
