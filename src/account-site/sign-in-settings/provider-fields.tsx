import { z } from 'zod'
import { Field, Select, TextArea } from '../../web/components/forms/field.tsx'
import { optionalText, text } from '../framework/field-types.ts'

const role = z.enum(['MEMBER', 'BILLING']).nullable().catch(null)

/** The fields of the forms of every provider. */
export const commonFields = z.object({ name: text, groupsClaim: optionalText, jitRole: role })
/** The fields of an OpenID provider, and of a SAML identity provider. */
export const openIdFields = commonFields.extend({ issuer: text, clientId: text, clientSecret: text })
export const samlFields = commonFields.extend({ metadata: text })

export const ProviderName = ({ value }: { value?: string }) => (
  <Field
    name="name"
    label="Name"
    maxLength={255}
    autocomplete="off"
    value={value}
    hint={`Members see it on the button of the sign-in page: “Continue with\u00A0…”.`}
  />
)

export interface IssuerField {
  label: string
  hint: string
  placeholder?: string
}

/** The issuer field with the most common label. */
export const plainIssuer: IssuerField = {
  label: 'Issuer',
  placeholder: 'https://idp.example.com',
  hint: 'An https URL. This service reads the configuration of the provider from it.',
}

interface OpenIdFieldsProps {
  issuer?: string
  clientId?: string
  /** True if a secret is stored, which stays unchanged if no other one is entered. */
  hasSecret?: boolean
  /** Issuer field; null if the issuer is the same for every organization. */
  issuerField?: IssuerField | null
}

/** The fields for the values that the provider shows after the application was registered there. */
export const OpenIdFields = ({ issuer, clientId, hasSecret = false, issuerField = plainIssuer }: OpenIdFieldsProps) => (
  <>
    {issuerField && <Field name="issuer" {...issuerField} maxLength={255} autocomplete="off" value={issuer} />}
    <Field name="clientId" label="Client ID" maxLength={255} autocomplete="off" value={clientId} />
    <Field
      name="clientSecret"
      label="Client secret"
      type="password"
      required={false}
      maxLength={1000}
      autocomplete="off"
      placeholder={hasSecret ? '••••••••' : undefined}
      hint={
        hasSecret
          ? 'A secret is stored and never shown. Enter one only to replace it.'
          : 'It is stored encrypted and never shown again. Leave it empty only if the provider issued none.'
      }
    />
  </>
)

export const MetadataField = ({ isStored = false }: { isStored?: boolean }) => (
  <TextArea
    name="metadata"
    label="Metadata"
    noun="the metadata"
    rows={8}
    required={!isStored}
    hint={
      isStored
        ? 'To replace the certificates, paste the new metadata of the identity provider (XML). The metadata can contain both the old and the new certificate.'
        : 'Paste the whole content of the metadata file of the identity provider (XML). The file contains the URL and the certificates of the provider.'
    }
  />
)

interface MembershipFieldsProps {
  jitRole?: string | null
  groupsClaim?: string | null
  groupsHint?: string
}

/** The fields for the consequences of a sign-in: membership and groups. */
export const MembershipFields = ({ jitRole = 'MEMBER', groupsClaim, groupsHint }: MembershipFieldsProps) => (
  <>
    <Select
      name="jitRole"
      label="Role of new members"
      options={[
        { value: 'MEMBER', label: 'Member' },
        { value: 'BILLING', label: 'Billing' },
        { value: '', label: 'None: invite members yourself' },
      ]}
      selected={jitRole ?? ''}
      hint="Users who are assigned to this app at the provider join the team with this role at their first sign-in. New members never become owners."
    />
    <Field
      name="groupsClaim"
      label="Groups claim"
      required={false}
      maxLength={255}
      autocomplete="off"
      value={groupsClaim ?? ''}
      placeholder="groups"
      hint={groupsHint ?? 'Optional. The name of the claim or attribute that lists the groups of a user.'}
    />
  </>
)
