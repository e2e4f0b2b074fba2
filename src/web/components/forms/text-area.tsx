import { describedBy, FieldDescription, fieldIdOf, submittedText } from './field-description.tsx'
import type { LabelledProps } from './field-description.tsx'
import { useSubmittedField } from './form.tsx'

/** A labelled field of several lines. */
export function TextArea({
  name,
  label,
  hint,
  id = fieldIdOf(name),
  noun,
  rows,
  value,
  required = true,
  hasFocus = false,
}: LabelledProps & { rows: number; value?: string; required?: boolean; hasFocus?: boolean }) {
  const { value: submitted, isRefused, messages, isFirst } = useSubmittedField(name, { label, verb: 'Enter', noun })
  return (
    <>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        required={required}
        spellcheck={false}
        autofocus={isFirst || (hasFocus && !isRefused)}
        {...describedBy(id, hint, messages)}
      >
        {submittedText(submitted) ?? value}
      </textarea>
      <FieldDescription id={id} hint={hint} messages={messages} />
    </>
  )
}
