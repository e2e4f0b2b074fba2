import { Button, Buttons, Form } from '../form.tsx'
import type { SecurityQuery } from '../generated/operations.ts'
import { Day, Moment } from '../time.tsx'

/** The browsers in which the person is signed in. */
export const Sessions = ({ sessions }: { sessions: SecurityQuery['viewer']['sessions'] }) => (
  <section>
    <h2 id="sessions">Where you are signed in</h2>
    <div class="table" tabIndex={0} role="region" aria-labelledby="sessions">
      <table>
        <thead>
          <tr>
            <th scope="col">Device</th>
            <th scope="col">Address</th>
            <th scope="col">Since</th>
            <th scope="col">Last used</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map(({ id, device, address, createdAt, lastUsedAt, isCurrent }) => (
            <tr>
              <th scope="row">{device}</th>
              <td>{address}</td>
              <td>
                <Day at={createdAt} />
              </td>
              <td>
                <Moment at={lastUsedAt} />
              </td>
              <td>
                {isCurrent ? (
                  <span class="badge">This browser</span>
                ) : (
                  <Form name="revoke" hidden={{ id }}>
                    <Button kind="second">Sign out</Button>
                  </Form>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {sessions.length > 1 && (
      <Form name="revoke-others">
        <Buttons>
          <Button kind="second">Sign out all others</Button>
        </Buttons>
      </Form>
    )}
  </section>
)
