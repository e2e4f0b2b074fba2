import { Fact, Facts } from '../../../web/components/facts.tsx'
import { RelativeTime } from '../../../web/components/time.tsx'
import type { DirectoryQuery } from '../../generated/operations.ts'

type LastError = DirectoryQuery['team']['lastDirectoryError']

/** The last error that the directory received, for the administrator who corrects what it sends. */
export const LastErrorSection = ({ error }: { error: LastError }) => (
  <section aria-labelledby="last-error">
    <h2 id="last-error">Last error</h2>
    {error === null ? (
      <p>The directory received no error in the last 30 days.</p>
    ) : (
      <>
        <p class="caution">
          <bdi>{error.detail}</bdi>
        </p>
        <Facts>
          <Fact name="Time">
            <RelativeTime at={error.at} />
          </Fact>
          <Fact name="Request">
            <code>{`${error.method} ${error.path}`}</code>
          </Fact>
          <Fact name="Response">
            <code>{[error.status, error.scimType].filter(Boolean).join(' ')}</code>
          </Fact>
        </Facts>
      </>
    )}
  </section>
)
