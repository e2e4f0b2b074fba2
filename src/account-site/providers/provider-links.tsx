import { isolateName } from '../../web/display-name.ts'
import { startAt } from './paths.ts'

interface ProviderLinksProps {
  providers: readonly { key: string; name: string }[]
  returnTo: string
  loginHint?: string | undefined
  purpose?: 'confirm'
  /** True if the links are the usual way to sign in on this page, and not an alternative. */
  isUsual?: boolean
}

/** Links to the sign-in at identity providers. They are not forms, because `form-action` would apply to every redirect after a form. */
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
