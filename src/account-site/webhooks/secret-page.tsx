import type { ComponentChildren } from 'preact'
import { CopyButton } from '../../web/components/copy-button.tsx'
import { Name } from '../../web/components/name.tsx'
import type { ResultPage } from '../framework/form.ts'
import { Receivers } from './receivers.tsx'
import { shortUrl } from './webhook-url.tsx'

interface SecretPageProps {
  webhook: { url: string }
  secret: string
  /** The page of the webhook. */
  path: string
  /** About the previous secret. */
  children?: ComponentChildren
}

/** The page that shows the secret of a webhook once. It is the response to the form, so that no URL contains the secret. */
export const secretPage = ({ webhook, secret, path, children }: SecretPageProps): ResultPage => ({
  title: 'Copy the signing secret',
  content: (
    <>
      <section>
        <p>
          Deliveries to <Name>{shortUrl(webhook.url)}</Name> are signed with this secret. Copy it to your receiver now:{' '}
          <strong>it is not shown again.</strong>
        </p>
        <p>
          <code class="secret" id="value">
            {secret}
          </code>
        </p>
        <div class="buttons copying">
          <CopyButton targetId="value">Copy</CopyButton>
        </div>
        {children}
        <p>
          <a class="button" href={`${path}#test`}>
            Continue to the webhook
          </a>
        </p>
      </section>
      <section>
        <h2>Verify deliveries</h2>
        <Receivers />
      </section>
    </>
  ),
})
