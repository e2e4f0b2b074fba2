import { z } from 'zod'
import { overlaps } from '../../../schema/token-rules.ts'
import { copyScript } from '../copy-button.tsx'
import { form } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Choices, Form } from '../form.tsx'
import { RevokeTokenDocument, RotateTokenDocument } from '../generated/operations.ts'
import { Name } from '../page.tsx'
import { Sure } from '../sure.tsx'
import type { Visit } from '../visit.ts'
import { actionWords, stateOf, stateWords, TokenFacts } from './listed-token.tsx'
import type { ListedToken } from './listed-token.tsx'
import { valuePage } from './shown-value.tsx'
import { singleUse } from './single-use.ts'

const overlapWords: Record<(typeof overlaps)[number], { label: string; hint?: string }> = {
  0: { label: 'No longer', hint: 'What still uses it fails at once.' },
  3600: { label: 'One hour' },
  86_400: { label: 'One day' },
  604_800: { label: 'Seven days' },
}
const overlapChoice = (seconds: (typeof overlaps)[number]) => ({ value: String(seconds), ...overlapWords[seconds] })

/** The scripts of a page with these forms. */
export const tokenScripts = [copyScript]

/** The forms of a token's own page; `listPath` is where its list is. */
export const tokenForms = (listPath: (visit: Visit) => string) => ({
  rotate: form({
    fields: z.object({ overlapSeconds: text, idempotencyKey: text }),
    document: RotateTokenDocument,
    variables: ({ overlapSeconds, idempotencyKey }, visit) => ({
      input: { id: visit.param('token'), overlapSeconds: secondsOf(overlapSeconds), idempotencyKey },
    }),
    done: ({ rotateToken }, visit) => valuePage(rotateToken, listPath(visit)),
  }),
  revoke: form({
    fields: z.object({}),
    document: RevokeTokenDocument,
    variables: (_, visit) => ({ input: { id: visit.param('token') } }),
    notice: 'The token is revoked. It opens nothing any more.',
    done: (_, visit) => listPath(visit),
  }),
})

/** What is no such number becomes one that the schema refuses. */
const secondsOf = (sent: string) => (/^\d{1,6}$/.test(sent) ? Number(sent) : -1)

/** A token's own page: what it is, a new value for it, and its end. */
export const TokenPage = ({ token, visit }: { token: ListedToken; visit: Visit }) => {
  const state = stateOf(token, visit.site.now())
  return (
    <>
      <section>
        <h2>
          <Name>{token.name}</Name> <span class="badge">{stateWords[state]}</span>
        </h2>
        <TokenFacts token={token} />
      </section>
      {state === 'works' && (
        <section>
          <h2>Rotate the value</h2>
          <p>The token gets a new value, with the same scopes and expiry, which is shown once.</p>
          <Form name="rotate" hidden={singleUse(visit)}>
            <Choices
              name="overlapSeconds"
              legend="How long the old value keeps working"
              type="radio"
              options={overlaps.map(overlapChoice)}
              checked={['3600']}
            />
            <Buttons>
              <Button>Create a new value</Button>
            </Buttons>
          </Form>
        </section>
      )}
      {actionWords[state] && (
        <section>
          <h2>Revoke</h2>
          <p>Whatever uses the token fails from then on. A revoked token never works again.</p>
          <Sure summary="Revoke this token" form="revoke" button="Yes, revoke it">
            Are you sure? This cannot be undone.
          </Sure>
        </section>
      )}
    </>
  )
}
