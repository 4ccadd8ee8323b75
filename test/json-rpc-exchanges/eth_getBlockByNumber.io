// a block, its members in the node's order
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x2",true]}
<< {"jsonrpc":"2.0","id":1,"result":{"number":"0x2","hash":"0x2222222222222222222222222222222222222222222222222222222222222222","extraData":"0x","transactions":[],"difficulty":"0x0","size":"0x200"}}
// no such block
>> {"jsonrpc":"2.0","id":2,"method":"eth_getBlockByNumber","params":["0x3e9",true]}
<< {"jsonrpc":"2.0","id":2,"result":null}
