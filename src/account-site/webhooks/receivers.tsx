import { readSamples } from '../../../rest-facade/openapi/samples.ts'
import { CopyButton } from '../../web/components/copy-button.tsx'

/** How to verify deliveries, with a program in each language. */
export const Receivers = () => (
  <>
    <p>
      Anyone can send requests to your URL. Accept only those that are signed with the secret of the webhook. Deliveries follow{' '}
      <a href="https://www.standardwebhooks.com" target="_blank" rel="noopener">
        Standard Webhooks
      </a>
      : verify them with a library, such as <code>standardwebhooks</code> or <code>svix</code>, or by hand, as these programs do.
    </p>
    {readSamples().map(({ language, file, code }) => (
      <details class="sample">
        <summary>{language}</summary>
        <pre id={file} tabIndex={0} role="region" aria-label={`Program in ${language}`}>
          {code}
        </pre>
        <div class="copying">
          <CopyButton targetId={file}>Copy</CopyButton>
        </div>
      </details>
    ))}
  </>
)
