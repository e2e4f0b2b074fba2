import type { ComponentChildren } from 'preact'
import { describedBy, FieldDescription, formatFieldId } from './field-description.tsx'
import type { LabelledProps } from './field-description.tsx'
import { useSubmittedField } from './form.tsx'

interface Choice {
  value: string
  label: ComponentChildren
  hint?: ComponentChildren
  /** True if this choice shows the element of class `opened` that follows the choices. */
  opens?: boolean
}

interface ChoicesProps extends Omit<LabelledProps, 'label'> {
  legend: string
  type: 'checkbox' | 'radio'
  options: readonly Choice[]
  checked?: readonly string[]
  /** False for a second group with the same name, because the first one shows the error. */
  hasMessages?: boolean
  /** True to arrange short labels in columns. */
  isCompact?: boolean
  /** True if the title of a `FieldGroup` says the same as the legend, which is then for screen readers only. */
  isLegendHidden?: boolean
}

/** A group of radio buttons or checkboxes. */
export function Choices({
  name,
  legend,
  hint,
  id = formatFieldId(name),
  noun,
  type,
  options,
  checked = [],
  hasMessages = true,
  isCompact = false,
  isLegendHidden = false,
}: ChoicesProps) {
  const verb = type === 'radio' ? 'Choose' : 'Choose at least one'
  const { value: submitted, isRefused, messages: all, isFirst } = useSubmittedField(name, { label: legend, verb, noun })
  const messages = hasMessages ? all : []
  const checkedValues = isRefused ? [submitted].flat() : checked
  return (
    <fieldset class={isCompact ? 'compact' : undefined} {...describedBy(id, hint, messages)}>
      <legend class={isLegendHidden ? 'visually-hidden' : undefined}>{legend}</legend>
      {/* The messages are above the options, because the list can be long. */}
      <FieldDescription id={id} hint={hint} messages={messages} />
      {options.map(({ value, label, hint, opens }, index) => (
        <div class="choice">
          <input
            type={type}
            id={`${id}-${value}`}
            name={name}
            value={value}
            checked={checkedValues.includes(value)}
            autofocus={isFirst && hasMessages && index === 0}
            data-opens={opens}
          />
          <label for={`${id}-${value}`}>
            {label}
            {hint && <small>{hint}</small>}
          </label>
        </div>
      ))}
    </fieldset>
  )
}
