import { z } from 'zod'
import { invalid } from '../../../schema/errors.ts'
import { assertionOptions } from '../../../schema/passkey-ceremony.ts'
import { returnOf } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { Name } from '../page.tsx'
import { PasskeyForm, passkeyScripts } from '../passkey-form.tsx'
import { Username } from '../username.tsx'
import { goOn } from './go-on.ts'
import { verifyGuess } from './guess.ts'
import { hasPasskey, verifyPasskey } from './passkey.ts'

/** Asks somebody who is signed in for the password again, before what somebody at an unlocked screen must not do. */
export const confirm = page({
  path: '/confirm',
  title: 'Is it you?',
  scripts: passkeyScripts,
  forms: {
    confirm: form({
      fields: z.object({ password: text }),
      async work({ password }, visit) {
        const { id, email } = visit.person?.user ?? { id: '', email: '' }
        const right = await verifyGuess(visit, email, password)
        if (right?.userId !== id) throw invalid({ password: ['The password is not right.'] })
        return goOn(visit, { ...right, methods: ['pwd'] }, returnOf(visit))
      },
    }),
    passkey: form({
      fields: z.object({ response: text }),
      async work({ response }, visit) {
        const userId = await verifyPasskey(visit, response, 'confirm')
        if (userId !== visit.person?.user.id) throw invalid({ response: ['The passkey is of another account.'] })
        return goOn(visit, { userId, methods: ['hwk'], passwordDigest: null }, returnOf(visit))
      },
    }),
  },
  view: async (_, visit) => (
    <>
      <p>
        You are signed in as <Name>{visit.person?.user.email ?? ''}</Name>. What comes next can be dangerous: show that it is you who asks
        for it.
      </p>
      <Form name="confirm">
        <Username email={visit.person?.user.email ?? ''} />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
        <Buttons>
          <Button>Continue</Button>
        </Buttons>
      </Form>
      {visit.person && (await hasPasskey(visit, visit.person.user.id)) && (
        <PasskeyForm name="passkey" ceremony="get" options={assertionOptions(visit.context, 'confirm')} button="Use a passkey" />
      )}
    </>
  ),
})
