<?php
// Drives a service through the client that openapi-generator wrote for PHP.

namespace GuzzleHttp\Psr7 {
    // The client calls this function of Guzzle 6, which Guzzle 7 no longer has.
    if (!function_exists('GuzzleHttp\Psr7\build_query')) {
        function build_query(array $parameters): string
        {
            return Query::build($parameters);
        }
    }
}

namespace {
    use GuzzleHttp\Client;
    use OpenAPI\Client\Api\InvitationsApi;
    use OpenAPI\Client\Api\InvoicesApi;
    use OpenAPI\Client\Api\MembersApi;
    use OpenAPI\Client\Api\TeamsApi;
    use OpenAPI\Client\ApiException;
    use OpenAPI\Client\Configuration;
    use OpenAPI\Client\Model\Application;
    use OpenAPI\Client\Model\Role;
    use OpenAPI\Client\Model\V1TeamsInvitationsStoreRequest;
    use OpenAPI\Client\Model\V1TeamsUpdateRequest;

    error_reporting(E_ALL & ~E_DEPRECATED);
    require 'GuzzleHttp/autoload.php';
    // As Composer does, from the folder of the client.
    spl_autoload_register(function (string $class): void {
        $file = 'client/lib/' . strtr(substr($class, strlen('OpenAPI\Client\\')), '\\', '/') . '.php';
        if (str_starts_with($class, 'OpenAPI\Client\\') && file_exists($file)) {
            require $file;
        }
    });
    // The client omits the namespace of the classes of properties that have a description or can be null.
    spl_autoload_register(function (string $class): void {
        if (!str_contains($class, '\\') && class_exists("OpenAPI\Client\Model\\$class")) {
            class_alias("OpenAPI\Client\Model\\$class", $class);
        }
    });

    function configure(string $token, ?string $url = null): Configuration
    {
        $configuration = (new Configuration())->setAccessToken($token);
        return $url === null ? $configuration : $configuration->setHost($url);
    }

    function report(string $step, array $results): void
    {
        echo json_encode(['step' => $step] + $results), "\n";
    }

    function reportError(string $step, callable $call): void
    {
        try {
            $call();
        } catch (ApiException $error) {
            $body = json_decode($error->getResponseBody(), true);
            $results = ['status' => $error->getCode(), 'code' => $body['code']];
            if ($step === 'invalid') {
                $results['errors'] = $body['errors'];
            }
            if ($step === 'rate limit') {
                $results['seconds'] = (int) $error->getResponseHeaders()['Retry-After'][0];
            }
            report($step, $results);
        }
    }

    $team = getenv('TEAM');
    $http = new Client();
    $configuration = configure(getenv('TOKEN'));
    $teams = new TeamsApi($http, $configuration);
    $members = new MembersApi($http, $configuration);
    $invoices = new InvoicesApi($http, $configuration);

    $emails = [];
    $page = 1;
    while ($page !== null) {
        $result = $members->v1TeamsMembersIndex($team, $page, 2);
        foreach ($result->getData() as $member) {
            $emails[] = $member->getEmail();
        }
        $page = $result->getLinks()->getNext() === null ? null : $page + 1;
    }
    report('pages', ['emails' => $emails]);

    // The client sends the keys of a list as the names of parameters.
    $expand = ['expand[]' => ['lines']];
    $invoice = $invoices->v1TeamsInvoicesIndex($team, 1, 50, null, 'asc', $expand)->getData()[0];
    $lines = array_map(fn($line) => $line->getDescription(), $invoice->getLines());
    report('expand', ['lines' => $lines, 'total' => $invoice->getTotal()]);
    $filtered = $invoices->v1TeamsInvoicesIndex($team, 1, 50, Application::DEPLOY)->getData();
    report('filter', ['numbers' => array_map(fn($each) => $each->getNumber(), $filtered)]);

    reportError('unauthenticated', fn() => (new TeamsApi($http, configure('unknown')))->v1TeamsShow($team));
    $withoutScope = new MembersApi($http, configure(getenv('LIMITED_SCOPE_TOKEN')));
    reportError('forbidden', fn() => $withoutScope->v1TeamsMembersIndex($team));
    reportError('not found', fn() => $members->v1TeamsMembersShow($team, 'unknown'));
    $blank = new V1TeamsUpdateRequest(['name' => ' ']);
    reportError('invalid', fn() => $teams->v1TeamsUpdate($team, null, $blank));

    $etag = $teams->v1TeamsShowWithHttpInfo($team)[2]['ETag'][0];
    $update = fn() => $teams->v1TeamsUpdate($team, $etag, new V1TeamsUpdateRequest(['name' => 'Renamed']));
    report('update', ['name' => $update()->getName()]);
    reportError('conflict', $update);

    $invitation = new V1TeamsInvitationsStoreRequest(['email' => getenv('INVITED'), 'role' => Role::MEMBER]);
    $invitations = new InvitationsApi($http, $configuration);
    $store = fn() => $invitations->v1TeamsInvitationsStoreWithHttpInfo($team, $invitation, 'php');
    [$first, $second] = [$store(), $store()];
    report('repeat', ['statuses' => [$first[1], $second[1]], 'replayed' => $second[2]['Idempotency-Replayed'][0]]);

    $limited = new TeamsApi($http, configure(getenv('RATE_LIMITED_TOKEN'), getenv('RATE_LIMITED_URL')));
    $limited->v1TeamsIndex();
    reportError('rate limit', fn() => $limited->v1TeamsIndex());
}
