import type { ComponentChildren } from 'preact'

/** Properties that every labelled field has. */
export interface LabelledProps {
  name: string
  label: string
  hint?: ComponentChildren
  /** Id of the field. Required if a page has several fields with the same name. */
  id?: string
  /** Noun that messages use instead of the label, such as `your password`. */
  noun?: string
}

/** Script that removes the error of a field when the user changes the field. */
export const clearErrorsScript = 'clear-errors.js'

export const formatFieldId = (name: string) => `field-${name}`

/** Returns a submitted value as text; undefined for a list or an absent value. */
export const submittedText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Returns the attributes that connect a field with its error messages and its hint. */
export function describedBy(id: string, hint: ComponentChildren, messages: readonly string[]) {
  const ids = [messages.length > 0 && `${id}-wrong`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { 'aria-invalid': messages.length > 0 ? true : undefined, 'aria-describedby': ids || undefined }
}

/** The error messages and the hint below a field. */
export const FieldDescription = ({ id, hint, messages }: { id: string; hint: ComponentChildren; messages: readonly string[] }) => (
  <>
    {messages.length > 0 && (
      <p class="wrong" role="alert" id={`${id}-wrong`}>
        {messages.join(' ')}
      </p>
    )}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
)
