import { startAt } from './paths.ts'

interface ProviderLinksProps {
  providers: readonly { key: string; name: string }[]
  returnTo: string
  loginHint?: string | undefined
  purpose?: 'confirm'
}

/** Links that lead to identity providers. Links instead of forms: after a form, `form-action` would apply to every redirect there. */
export const ProviderLinks = ({ providers, returnTo, loginHint, purpose }: ProviderLinksProps) =>
  providers.length > 0 && (
    <div class="buttons">
      {providers.map(({ key, name }) => (
        <a class="button second" href={startAt(key, { returnTo, loginHint, ...(purpose && { purpose }) })}>
          {purpose === 'confirm' ? `Confirm with ${name}` : `Continue with ${name}`}
        </a>
      ))}
    </div>
  )
