import type { ComponentChildren } from 'preact'
import { Button, Buttons, Form } from './form.tsx'

interface SureProps {
  /** What is opened first: what it would do. */
  summary: string
  /** The name of what it is done to, for who hears one of several. */
  of?: string
  /** The form, by its name among those of the page. */
  form: string
  hidden?: Record<string, string>
  button: string
  /** What is lost. */
  children: ComponentChildren
}

/** What cannot be undone, asked twice without a script: what is opened first says what is lost. */
export const Sure = ({ summary, of, form, hidden, button, children }: SureProps) => (
  <details class="sure">
    <summary>
      {summary}
      {of !== undefined && (
        <span class="visually-hidden">
          {' '}
          <bdi>{of}</bdi>
        </span>
      )}
    </summary>
    <Form name={form} hidden={hidden}>
      <p>{children}</p>
      <Buttons>
        <Button kind="danger">{button}</Button>
      </Buttons>
    </Form>
  </details>
)
