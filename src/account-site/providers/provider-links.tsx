import { isolateName } from '../../web/display-name.ts'
import { startAt } from './paths.ts'

interface ProviderLinksProps {
  providers: readonly { key: string; name: string }[]
  returnTo: string
  loginHint?: string | undefined
  purpose?: 'confirm'
  /** Whether they are the usual way of the page, instead of an alternative to it. */
  isUsual?: boolean
}

/** Links that lead to identity providers. Links instead of forms: after a form, `form-action` would apply to every redirect there. */
export const ProviderLinks = ({ providers, returnTo, loginHint, purpose, isUsual = false }: ProviderLinksProps) =>
  providers.length > 0 && (
    <div class="buttons">
      {providers.map(({ key, name }, index) => (
        <a
          class={isUsual ? 'button' : 'button second'}
          href={startAt(key, { returnTo, loginHint, ...(purpose && { purpose }) })}
          autofocus={isUsual && index === 0}
        >
          {`${purpose === 'confirm' ? 'Confirm' : 'Continue'} with ${isolateName(name)}`}
        </a>
      ))}
    </div>
  )
