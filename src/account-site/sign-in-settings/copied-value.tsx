import { CopyButton } from '../../web/components/copy-button.tsx'

interface CopiedValueProps {
  id: string
  label: string
  /** Name of the copied value. */
  copied: string
  value: string
  /** True if the value is the address of a page to look at. */
  isLink?: boolean
}

/** A value with a button that copies it. */
export const CopiedText = ({ id, copied, value, isLink = false }: Omit<CopiedValueProps, 'label'>) => (
  <div class="copied">
    {isLink ? (
      <a href={value}>
        <code id={id}>{value}</code>
      </a>
    ) : (
      <code id={id}>{value}</code>
    )}
    <span class="copying">
      <CopyButton targetId={id}>
        Copy<span class="visually-hidden"> {copied}</span>
      </CopyButton>
    </span>
  </div>
)

/** Values that the administrator enters at the identity provider, each with a button that copies it. */
export const CopiedValues = ({ values }: { values: readonly CopiedValueProps[] }) => (
  <dl>
    {values.map(({ label, ...each }) => (
      <>
        <dt>{label}</dt>
        <dd>
          <CopiedText {...each} />
        </dd>
      </>
    ))}
  </dl>
)

interface Addresses {
  redirectUri?: string | null | undefined
  acsUrl?: string | null | undefined
  entityId?: string | null | undefined
}

/** The addresses of this service that belong to a provider. */
export const addressValues = ({ redirectUri, acsUrl, entityId }: Addresses): CopiedValueProps[] =>
  [
    { id: 'redirect-uri', label: 'Redirect URI', copied: 'redirect URI', value: redirectUri },
    { id: 'acs-url', label: 'ACS URL (assertion consumer service, reply URL)', copied: 'ACS URL', value: acsUrl },
    { id: 'entity-id', label: 'Entity ID (audience, identifier)', copied: 'entity ID', value: entityId },
  ].flatMap(({ value, ...each }) => (value ? [{ ...each, value }] : []))
