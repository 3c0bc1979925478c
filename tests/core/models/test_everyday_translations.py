"""The shipped translator on what a reader types first: the weights themselves are under test."""

from claims import for_all

from core.models import translator

EVERYDAY = {
    "我爱北京": "I love Beijing",
    "我爱你": "I love you",
    "你爱我吗?": "do you love me",
    "我不爱你": "I do not love you",
    "我也爱你": "I also love you",
    "谁爱我": "who loves me",
    "你爱谁": "who do you love",
    "我想你": "I miss you",
    "你好": "hello",
    "你好吗?": "how are you",
    "我很好": "I am fine",
    "谢谢": "thanks",
    "再见": "goodbye",
    "他不喜欢咖啡": "he does not like coffee",
    "我明天去北京": "I will go to Beijing tomorrow",
    "明天我去北京": "I will go to Beijing tomorrow",
    "他昨天去了上海": "he went to Shanghai yesterday",
    "他来了": "he came",
    "我没去学校": "I did not go to school",
    "我坐火车去北京": "I go to Beijing by train",
    "我想回家": "I want to go home",
    "你去哪里?": "where do you go",
    "你在哪里?": "where are you",
    "你住在哪里?": "where do you live",
    "我家在北京": "my home is in Beijing",
    "我在北京学习": "I study in Beijing",
    "我们在学校学习中文": "we study Chinese at school",
    "你为什么学习中文?": "why do you study Chinese",
    "她会说英语吗?": "can she speak English",
    "你会说中文吗?": "can you speak Chinese",
    "你叫什么?": "what is your name",
    "你叫什么名字?": "what is your name",
    "我叫小明": "my name is Xiaoming",
    "我是学生": "I am a student",
    "他是老师吗?": "is he a teacher",
    "你是谁?": "who are you",
    "我的老师是中国人": "my teacher is Chinese",
    "他们是我的朋友": "they are my friends",
    "我们是朋友": "we are friends",
    "小明和小红都喜欢茶": "Xiaoming and Xiaohong both like tea",
    "我没有手机": "I do not have a phone",
    "这是什么?": "what is this",
    "这是我的书": "this is my book",
    "我有两本书": "I have two books",
    "你有几本书?": "how many books do you have",
    "我有一只猫": "I have a cat",
    "小猫在家睡觉": "the kitten sleeps at home",
    "我想喝茶": "I want to drink tea",
    "你想吃什么?": "what do you want to eat",
    "我要一杯咖啡": "I want a cup of coffee",
    "她每天喝牛奶": "she drinks milk every day",
    "我在看书": "I am reading books",
    "我喜欢听音乐": "I like to listen to music",
    "小明和我喜欢猫": "Xiaoming and I like cats",
    "今天很热": "it is hot today",
    "今天天气很好": "the weather is good today",
    "北京很大": "Beijing is big",
    "我饿了": "I am hungry",
    "你累吗?": "are you tired",
    "我妈妈很忙": "my mom is busy",
    "我不知道": "I do not know",
}


@for_all(("chinese", "english"), EVERYDAY.items())
def test_an_everyday_sentence_is_translated(chinese, english):
    found = translator.load().translate(chinese)
    assert " ".join(found.words) == english
    assert found.ended
