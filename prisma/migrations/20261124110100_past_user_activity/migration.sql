-- The last activity of existing users. A migration of its own: while it runs, users can be read.
UPDATE "users" u SET "last_active_at" = a."at"
FROM (
    SELECT "user_id", max("last_used_at") AS "at"
    FROM (
        SELECT "user_id", "last_used_at" FROM "sessions"
        UNION ALL SELECT "user_id", "last_used_at" FROM "access_tokens"
        UNION ALL SELECT "user_id", "last_used_at" FROM "oauth_grants"
    ) uses
    WHERE "last_used_at" IS NOT NULL
    GROUP BY "user_id"
) a
WHERE u."id" = a."user_id" AND u."last_active_at" IS NULL;
