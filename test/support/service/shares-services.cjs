const { readFileSync } = require('node:fs');

/** Whether a test file uses the services that its worker shares (shared-services.ts). */
module.exports = (path) => readFileSync(path, 'utf8').includes("/support/service/shared-services'");
