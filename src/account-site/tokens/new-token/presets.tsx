import { z } from 'zod'
import { allowsChanges, isScope, scopes as catalogue } from '../../../../schema/core/scopes.ts'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { Button } from '../../../web/components/forms/button.tsx'
import { submittedText } from '../../../web/components/forms/field-description.tsx'
import { useSubmittedField } from '../../../web/components/forms/form.tsx'
import { isolateName, truncate } from '../../../web/display-name.ts'
import { list, text } from '../../framework/field-types.ts'
import type { PageForm } from '../../framework/form.ts'
import type { ListedToken } from '../listed-token.ts'

/** Script that ticks the permissions of a preset at once. Without it, the form is sent and returns with them. */
export const presetScript = 'presets.js'

/** A token whose permissions can be copied to a new one. */
export type SimilarToken = Pick<ListedToken, 'id' | 'name' | 'hint' | 'scopes' | 'expiresAt' | 'revokedAt'>

const presetFields = z.looseObject({ preset: text, like: text, scopes: list })
/** Value of the button that copies the permissions of the selected token. */
const likeToken = 'like'
const likeLabel = 'Like another token'

// Returns the value of a preset, and of a token in the list: the scopes that it ticks. The server and the script need nothing else.
const getValue = (scopes: readonly string[]) => scopes.join(' ')

/** A form with presets. A button of a preset shows the form again with its permissions, and creates nothing. */
export const withPresets = (form: PageForm): PageForm => ({
  ...form,
  async submit(body, ctx) {
    const fields = presetFields.parse(body)
    if (fields.preset === '') return form.submit(body, ctx)
    const like = fields.preset === likeToken ? fields.like : ''
    const preset = fields.preset === likeToken ? like : fields.preset
    // Without a selected token, nothing changes.
    const scopes = preset === '' ? fields.scopes : preset.split(' ').filter(isScope)
    return { again: { ...fields, like, scopes } }
  },
})

interface PresetsProps {
  /** Scopes that the token can have. */
  scopes: readonly Scope[]
  /** Address at which the form is shown again. */
  action: string
  tokens: readonly SimilarToken[]
  /** Id of the token that is selected at first. */
  selected: string | null
  now: Date
}

/** Buttons that tick permissions: those that read, all, or those of another token. */
export const Presets = ({ scopes, action, tokens, selected, now }: PresetsProps) => {
  // A directory's token has one purpose and is not a preset for other tokens.
  const all = scopes.filter((scope) => catalogue[scope].product !== 'directory')
  const like = submittedText(useSubmittedField('like', { label: likeLabel, verb: 'Choose' }).value)
  return (
    <div class="presets" role="group" aria-label="Presets">
      <PresetButton action={action} value={getValue(all.filter((scope) => !allowsChanges(scope)))}>
        Read only
      </PresetButton>
      <PresetButton action={action} value={getValue(all)}>
        Everything
      </PresetButton>
      {tokens.length > 0 && (
        <div>
          <select name="like" aria-label={likeLabel}>
            <option value="">{likeLabel}</option>
            {tokens.map((token) => {
              // The value contains the identifier, so that tokens with the same permissions have different values.
              const value = `${token.id} ${getValue(token.scopes)}`
              return (
                <option value={value} selected={like === undefined ? token.id === selected : value === like}>
                  {getName(token, now)}
                </option>
              )
            })}
          </select>
          <PresetButton action={action} value={likeToken}>
            Apply
          </PresetButton>
        </div>
      )}
      <div class="visually-hidden" role="status" data-status />
    </div>
  )
}

const PresetButton = ({ action, value, children }: { action: string; value: string; children: string }) => (
  <Button kind="second" name="preset" value={value} action={action} skipsValidation>
    {children}
  </Button>
)

const getName = ({ name, hint, expiresAt }: SimilarToken, now: Date) => {
  const state = expiresAt !== null && new Date(expiresAt) <= now ? ', expired' : ''
  return `${truncate(isolateName(name), 50)} (${hint}${state})`
}
