import type { ComponentChildren } from 'preact'
import { CopyButton } from '../web/components/copy-button.tsx'
import { Buttons } from '../web/components/forms/button.tsx'
import { Choices } from '../web/components/forms/choices.tsx'
import { Form } from '../web/components/forms/form.tsx'
import type { PageLink } from './framework/page.ts'
import { counted } from './labels.ts'

interface OneTimeSecretProps {
  /** What the secret is for, and where to copy it. */
  intro: ComponentChildren
  secret: string
  /** Of the client whose secret it is. */
  clientId?: string
  copyLabel?: string
  /** Advice, or until when the previous secret works. */
  children?: ComponentChildren
  /** Where the user goes on. A fragment of the URL of the form would not leave the secret. */
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
  /** What the form replaces. */
  noun: 'secret' | 'value'
  /** For how many seconds the old one can stay valid. */
  overlaps: readonly number[]
  /** What happens if the old one expires immediately. */
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
