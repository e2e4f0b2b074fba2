import type { ComponentChildren } from 'preact'
import { CopyButton } from '../web/components/copy-button.tsx'
import { Buttons } from '../web/components/forms/button.tsx'
import { Choices } from '../web/components/forms/choices.tsx'
import { Form } from '../web/components/forms/form.tsx'
import type { PageLink } from './framework/page.ts'
import { counted } from './labels.ts'

interface OneTimeSecretProps {
  /** Purpose of the secret, and the place to copy it to. */
  intro: ComponentChildren
  secret: string
  /** Identifier of the client to which the secret belongs. */
  clientId?: string
  copyLabel?: string
  /** Advice, or the time until which the previous secret works. */
  children?: ComponentChildren
  /** Link to the next page. It must not be a fragment of the form's URL, because the browser would stay on the page with the secret. */
  next: PageLink
}

/** Shows a secret once. It is the content of the response to a form, so that no URL contains the secret. */
export function OneTimeSecret({ intro, secret, clientId, copyLabel = 'Copy', children, next }: OneTimeSecretProps) {
  const value = (
    <code class="secret" id="value">
      {secret}
    </code>
  )
  return (
    <section>
      <p>
        {intro} <strong>it is not shown again.</strong>
      </p>
      {clientId === undefined ? (
        <p>{value}</p>
      ) : (
        <dl>
          <dt>Client ID</dt>
          <dd>
            <code id="client-id">{clientId}</code>
          </dd>
          <dt>Client secret</dt>
          <dd>{value}</dd>
        </dl>
      )}
      <div class="buttons copying">
        <CopyButton targetId="value">{copyLabel}</CopyButton>
      </div>
      {children}
      <p>
        <a class="button" href={next.path}>
          {next.label}
        </a>
      </p>
    </section>
  )
}

interface RotateFormProps {
  hidden: Readonly<Record<string, string>>
  /** The thing that the form replaces. */
  noun: 'secret' | 'value'
  /** Durations in seconds for which the old secret can stay valid. */
  overlaps: readonly number[]
  /** Consequence if the old secret expires immediately. */
  hint: string
  checked: number
  children: ComponentChildren
}

/** The form that replaces a secret. `children` is its button. */
export const RotateForm = ({ hidden, noun, overlaps, hint, checked, children }: RotateFormProps) => (
  <Form name="rotate" hidden={hidden}>
    <Choices
      name="overlapSeconds"
      legend={`Expire the old ${noun}`}
      noun={`when the old ${noun} expires`}
      type="radio"
      options={overlaps.map((seconds) => ({
        value: String(seconds),
        ...(seconds === 0 ? { label: 'Immediately', hint } : { label: formatDelay(seconds) }),
      }))}
      checked={[String(checked)]}
    />
    <Buttons>{children}</Buttons>
  </Form>
)

const formatDelay = (seconds: number): string =>
  seconds < 86_400 ? `In ${counted(seconds / 3600, 'hour', 'hours')}` : `In ${counted(seconds / 86_400, 'day', 'days')}`
