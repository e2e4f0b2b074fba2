-- The last activity of existing users. A migration of its own: while it runs, users can be read. Users that are locked are skipped, because
-- waiting for one could end the whole statement. Their next use records their activity.
UPDATE "users" u SET "last_active_at" = a."at"
FROM (
    SELECT "user_id", date_trunc('minute', max("last_used_at")) AS "at"
    FROM (
        SELECT "user_id", "last_used_at" FROM "sessions"
        UNION ALL SELECT "user_id", "last_used_at" FROM "access_tokens"
        UNION ALL SELECT "user_id", "last_used_at" FROM "oauth_grants"
    ) uses
    WHERE "last_used_at" IS NOT NULL
    GROUP BY "user_id"
) a
JOIN (SELECT "id" FROM "users" WHERE "last_active_at" IS NULL FOR NO KEY UPDATE SKIP LOCKED) unlocked ON unlocked."id" = a."user_id"
WHERE u."id" = a."user_id";
