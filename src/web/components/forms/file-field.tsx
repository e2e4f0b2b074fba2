import { describedBy, FieldDescription, fieldIdOf } from './field-description.tsx'
import type { LabelledProps } from './field-description.tsx'
import { useSubmittedField } from './form.tsx'

interface FileFieldProps extends LabelledProps {
  /** Media types, separated by commas. */
  accept: string
}

/** A labelled field for a file, the last one of its form (src/account-site/serving/read-upload.ts). The user need not choose one. */
export function FileField({ name, label, hint, id = fieldIdOf(name), noun, accept }: FileFieldProps) {
  const { messages, isFirst } = useSubmittedField(name, { label, verb: 'Choose', noun })
  return (
    <>
      <label for={id}>{label}</label>
      <input type="file" id={id} name={name} accept={accept} autofocus={isFirst} {...describedBy(id, hint, messages)} />
      <FieldDescription id={id} hint={hint} messages={messages} />
    </>
  )
}
