import { describedBy, FieldDescription, fieldIdOf } from './field-description.tsx'
import type { LabelledProps } from './field-description.tsx'
import { useSubmittedField } from './form.tsx'

interface FileFieldProps extends LabelledProps {
  /** Accepted media types, separated by commas. */
  accept: string
}

/** A labelled, optional field for a file. It must be the last field of its form (src/account-site/serving/read-upload.ts). */
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
