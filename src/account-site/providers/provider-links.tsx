import { isolateName } from '../../web/display-name.ts'
import { startAt } from './paths.ts'
import { ProviderLogo } from './provider-logo.tsx'

interface ProviderLinksProps {
  providers: readonly { key: string; name: string }[]
  returnTo: string
  loginHint?: string | undefined
  purpose?: 'confirm'
  /** True if the links are the usual way to sign in on this page, and not an alternative. */
  isUsual?: boolean
  /** True if the first link has the focus when the page opens. By default it has, if the links are the usual way. */
  hasFocus?: boolean
  /** True if the user signed in with it last in this browser. */
  isLastUsed?: boolean
}

/** Links to the sign-in at identity providers. They are not forms, because `form-action` would apply to every redirect after a form. */
export const ProviderLinks = ({
  providers,
  returnTo,
  loginHint,
  purpose,
  isUsual = false,
  hasFocus = isUsual,
  isLastUsed = false,
}: ProviderLinksProps) =>
  providers.length > 0 && (
    <div class="buttons column">
      {providers.map(({ key, name }, index) => (
        <a
          class={isUsual ? 'button' : 'button second'}
          href={startAt(key, { returnTo, loginHint, ...(purpose && { purpose }) })}
          autofocus={hasFocus && index === 0}
        >
          <ProviderLogo provider={key} />
          {`${purpose === 'confirm' ? 'Confirm' : 'Continue'} with ${isolateName(name)}`}
          {isLastUsed && <span class="last-used">Last used</span>}
        </a>
      ))}
    </div>
  )
