import { maxFileBytes, tooLarge, wrongFile } from '../../schema/pictures/encode-picture.ts'
import { Avatar } from '../web/components/avatar.tsx'
import type { AvatarProps } from '../web/components/avatar.tsx'
import { FileField } from '../web/components/forms/field.tsx'
import { formatRefusal } from '../web/components/forms/refusal-words.ts'

/** Script with which the user crops the picture. Without it, the page shows only the field for the file. */
export const pictureScript = 'crop-picture.js'

interface PictureFieldProps extends Pick<AvatarProps, 'of' | 'picture'> {
  name: string
  label: string
  /** The person or the team. */
  owner: string
  /** Id of the form that removes the current picture. Its button is in the form of this field. */
  removeForm: string
}

const mediaTypes = 'image/jpeg,image/png,image/webp'
/** Sides of the area in which the user crops, and of the file that it makes, in pixels. The stored file has half of that. */
const side = 512

/**
 * The current picture of a person or logo of a team, and a field that uploads another one. A picture of a person fills its circle. A logo
 * is shown completely at first.
 */
export const PictureField = ({ name, label, of, owner, picture, removeForm }: PictureFieldProps) => {
  const isRound = of === 'person'
  const formatMessage = (template: string) => formatRefusal(template, { label, verb: 'Choose' })
  const zoomId = `field-${name}-zoom`
  const hint = (
    <>
      JPEG, PNG or WebP, at most 5 MB. {isRound ? 'Shown cut to a circle.' : 'Shown on a white square.'}
      <span class="drop-hint"> You can also drop a file here.</span>
    </>
  )
  return (
    <div class="who top picture">
      <Avatar of={of} size="large" name={owner} picture={picture} />
      <canvas class={isRound ? 'avatar large round' : 'avatar large'} width="192" height="192" hidden aria-hidden="true" />
      <div>
        <FileField name={name} label={label} accept={mediaTypes} hint={hint} />
        {picture && (
          <button type="submit" class="quiet" form={removeForm}>
            Remove {label.toLowerCase()}
          </button>
        )}
        <div
          class="crop"
          hidden
          data-round={isRound}
          data-max-bytes={maxFileBytes}
          data-wrong-type={formatMessage(wrongFile)}
          data-too-large={formatMessage(tooLarge)}
        >
          <canvas
            width={side}
            height={side}
            tabindex={0}
            role="application"
            aria-label={`Visible part of the ${label.toLowerCase()}`}
            aria-describedby={`field-${name}-crop`}
          />
          <label for={zoomId}>Zoom</label>
          <input type="range" id={zoomId} min="1" max="4" step="0.05" value="1" />
          <p class="hint" id={`field-${name}-crop`}>
            {isRound || 'Zoom in to remove its margins. '}Drag the {label.toLowerCase()} or use the arrow keys to move it.
          </p>
          <button type="button" class="quiet">
            Cancel
          </button>
        </div>
      </div>
    </div>
  )
}
