import { FileField } from '../web/components/forms/field.tsx'

interface PictureFieldProps {
  name: string
  label: string
  /** Places in which the picture is shown, and its shape. */
  hint: string
}

/** A field that uploads another picture. */
export const PictureField = ({ hint, ...field }: PictureFieldProps) => (
  <FileField {...field} accept="image/jpeg,image/png,image/webp" hint={`JPEG, PNG or WebP, at most 5 MB. ${hint}`} />
)
