import { describedBy, FieldDescription, formatFieldId, submittedText } from './field-description.tsx'
import type { LabelledProps } from './field-description.tsx'
import { useSubmittedField } from './form.tsx'

/** Script that shows the text of a password field. Without it, the button is hidden. */
export const passwordScript = 'show-password.js'

interface FieldProps extends LabelledProps {
  value?: string
  type?: 'text' | 'password' | 'date' | 'datetime-local' | 'search'
  /** True by default. */
  required?: boolean
  /** True if this field has the focus when the page opens. On a refused form, the first refused field has it instead. */
  hasFocus?: boolean
  autocomplete?: string
  inputMode?: 'email' | 'numeric'
  list?: string
  placeholder?: string
  maxLength?: number
  min?: string
  max?: string
}

/** A labelled input. Submitted passwords and one-time codes are never shown again. */
export function Field({
  name,
  label,
  hint,
  id = formatFieldId(name),
  noun,
  value,
  type = 'text',
  required = true,
  hasFocus = false,
  autocomplete,
  ...rest
}: FieldProps) {
  const { value: submitted, isRefused, messages, isFirst } = useSubmittedField(name, { label, verb: 'Enter', noun })
  const isCode = autocomplete === 'one-time-code'
  const isVerbatim = isCode || type === 'password' || rest.inputMode === 'email'
  // Typed as object, because Preact's types define attributes for each input type, and here the type is a variable.
  const attributes: object = {
    ...rest,
    ...describedBy(id, hint, messages),
    id,
    name,
    type,
    required,
    autocomplete,
    autofocus: isFirst || (hasFocus && !isRefused),
    value: type === 'password' || isCode ? undefined : (submittedText(submitted) ?? value),
    ...(isVerbatim && { autocapitalize: 'none', spellcheck: false }),
  }
  return (
    <>
      <label for={id}>{label}</label>
      {type === 'password' ? (
        <div class="password">
          <input {...attributes} />
          <button type="button" class="quiet" hidden data-shows={id} aria-pressed="false">
            Show<span class="visually-hidden"> password</span>
          </button>
        </div>
      ) : (
        <input {...attributes} />
      )}
      <FieldDescription id={id} hint={hint} messages={messages} />
    </>
  )
}

interface SelectProps extends LabelledProps {
  options: readonly { value: string; label: string }[]
  selected?: string
  /** True if the user must select an option that has a value. */
  required?: boolean
}

/** A labelled drop-down list. */
export function Select({ name, label, hint, id = formatFieldId(name), noun, options, selected, required }: SelectProps) {
  const { value: submitted, messages, isFirst } = useSubmittedField(name, { label, verb: 'Choose', noun })
  const selectedValue = submittedText(submitted) ?? selected
  return (
    <>
      <label for={id}>{label}</label>
      <select id={id} name={name} required={required} autofocus={isFirst} {...describedBy(id, hint, messages)}>
        {options.map(({ value, label }) => (
          <option value={value} selected={value === selectedValue}>
            {label}
          </option>
        ))}
      </select>
      <FieldDescription id={id} hint={hint} messages={messages} />
    </>
  )
}

/** A labelled field of several lines. */
export function TextArea({
  name,
  label,
  hint,
  id = formatFieldId(name),
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

interface FileFieldProps extends LabelledProps {
  /** Accepted media types, separated by commas. */
  accept: string
}

/** A labelled, optional field for a file. */
export function FileField({ name, label, hint, id = formatFieldId(name), noun, accept }: FileFieldProps) {
  const { messages, isFirst } = useSubmittedField(name, { label, verb: 'Choose', noun })
  return (
    <>
      <label for={id}>{label}</label>
      <input type="file" id={id} name={name} accept={accept} autofocus={isFirst} {...describedBy(id, hint, messages)} />
      <FieldDescription id={id} hint={hint} messages={messages} />
    </>
  )
}
