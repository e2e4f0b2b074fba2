import { Checkbox } from '../../../web/components/forms/checkbox.tsx'
import { Field, Select, TextArea } from '../../../web/components/forms/field.tsx'
import { FieldGroup } from '../../../web/components/forms/field-group.tsx'
import { useRefusal } from '../../../web/components/forms/form.tsx'
import type { DeveloperAppSettingsQuery } from '../../generated/operations.ts'

type App = DeveloperAppSettingsQuery['team']['client']

interface OptionalProps {
  name: string
  label: string
  value: string | null
  hint?: string
  max?: number
}

/** A field for an optional text. */
export const Optional = ({ label, value, max = 2000, ...rest }: OptionalProps) => (
  <Field {...rest} label={`${label} (optional)`} noun={label} required={false} maxLength={max} autocomplete="off" value={value ?? ''} />
)

/** Fields that few apps need. They are folded unless the app uses one of them, or the form was refused. */
export const AdvancedFields = ({ app }: { app: App }) => (
  <details class="advanced" open={useRefusal('update') !== null || usesAdvanced(app)}>
    <summary>Advanced</summary>
    {app.confidential && <KeyFields app={app} />}
    <ProtocolFields app={app} />
  </details>
)

/** Returns true if a value of these fields differs from that of a new app. */
const usesAdvanced = (app: App) =>
  [app.jwks, app.jwksUri, app.backchannelLogoutUri].some((value) => value !== null) ||
  app.postLogoutRedirectUris.length > 0 ||
  app.idTokenSignedResponseAlg !== algorithms[0] ||
  app.refreshReplaySeconds > 0 ||
  [app.requireKeyAuthentication, app.requirePushedAuthorizationRequests, app.dpopBoundAccessTokens].includes(true)

/** The default comes first. */
const algorithms = ['ES256', 'RS256']

/** Fields for authentication with a key instead of a secret. Only confidential apps authenticate. */
const KeyFields = ({ app }: { app: App }) => (
  <FieldGroup id="keys" title="Keys" about="The app can sign an assertion instead of sending its secret (private_key_jwt).">
    <TextArea
      name="jwks"
      label="Public keys"
      rows={4}
      required={false}
      value={app.jwks === null ? '' : JSON.stringify(app.jwks, null, 2)}
      hint="Optional. A JSON Web Key Set with up to 4 public keys."
    />
    <Optional name="jwksUri" label="URL of the public keys" value={app.jwksUri} hint="Use it instead of entering the keys." />
    <Checkbox
      name="requireKeyAuthentication"
      label="Require keys"
      hint="The secret is no longer accepted."
      isTicked={app.requireKeyAuthentication}
    />
  </FieldGroup>
)

const ProtocolFields = ({ app }: { app: App }) => (
  <FieldGroup id="protocol" title="Protocol" about="Sign-out, signatures and stricter requests.">
    <TextArea
      name="postLogoutRedirectUris"
      label="Redirect URIs after sign-out"
      rows={2}
      required={false}
      value={app.postLogoutRedirectUris.join('\n')}
      hint="Where the browser can return after a sign-out that your app started. One URI per line."
    />
    <Optional
      name="backchannelLogoutUri"
      label="Back-channel logout URI"
      value={app.backchannelLogoutUri}
      hint="This service calls it when a user signs out."
    />
    <Select
      name="idTokenSignedResponseAlg"
      label="Signing algorithm of ID tokens"
      options={algorithms.map((value) => ({ value, label: value }))}
      selected={app.idTokenSignedResponseAlg}
    />
    <Field
      name="refreshReplaySeconds"
      label="Replay window of refresh tokens"
      inputMode="numeric"
      value={String(app.refreshReplaySeconds)}
      hint="For how many seconds (0 to 120) a used refresh token gets the same response again. For apps that refresh from several processes at once."
    />
    <Checkbox
      name="requirePushedAuthorizationRequests"
      label="Require pushed authorization requests"
      hint="The app must first send the parameters of each authorization request to this service (RFC 9126)."
      isTicked={app.requirePushedAuthorizationRequests}
    />
    <Checkbox
      name="dpopBoundAccessTokens"
      label="Require DPoP"
      hint="Tokens are bound to a key of the app, so that stolen tokens cannot be used (RFC 9449)."
      isTicked={app.dpopBoundAccessTokens}
    />
  </FieldGroup>
)
